/* ingest/bill/focus_columns.c: see focus_columns.h. */
#include "ingest/bill/focus_columns.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SERVICE_CATEGORIES                                                                                   \
    "AI and Machine Learning|Analytics|Business Applications|Compute|Databases|Developer Tools|Multicloud|"  \
    "Identity|Integration|Internet of Things|Management and Governance|Media|Migration|Mobile|Networking|"   \
    "Security|Storage|Web|Other"

/* clang-format off: a column a line. In byte order of their names. */
const struct focus_column_rule focus_column_rules[] = {
    { "AllocatedMethodDetails", FOCUS_1_3, FOCUS_1_4, FOCUS_JSON, FOCUS_RECOMMENDED, 0, NULL },
    { "AllocatedMethodId", FOCUS_1_3, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "AllocatedResourceId", FOCUS_1_3, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "AllocatedResourceName", FOCUS_1_3, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "AllocatedTags", FOCUS_1_3, FOCUS_1_4, FOCUS_KEY_VALUES, FOCUS_CONDITIONAL, 0, NULL },
    { "AvailabilityZone", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_RECOMMENDED, 0, NULL },
    { "BilledCost", FOCUS_1_0, FOCUS_1_4, FOCUS_DECIMAL, FOCUS_MANDATORY, FOCUS_1_0, NULL },
    { "BillingAccountId", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_MANDATORY, FOCUS_1_0, NULL },
    { "BillingAccountName", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_MANDATORY, 0, NULL },
    { "BillingAccountType", FOCUS_1_2, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, FOCUS_1_2, NULL },
    { "BillingCurrency", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_MANDATORY, FOCUS_1_0, NULL },
    { "BillingPeriodEnd", FOCUS_1_0, FOCUS_1_4, FOCUS_TIME, FOCUS_MANDATORY, FOCUS_1_0, NULL },
    { "BillingPeriodStart", FOCUS_1_0, FOCUS_1_4, FOCUS_TIME, FOCUS_MANDATORY, FOCUS_1_0, NULL },
    { "CapacityReservationId", FOCUS_1_1, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "CapacityReservationStatus", FOCUS_1_1, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, "Used|Unused" },
    { "ChargeCategory", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_MANDATORY, FOCUS_1_0,
      "Usage|Purchase|Tax|Credit|Adjustment" },
    { "ChargeClass", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_MANDATORY, 0, "Correction" },
    { "ChargeDescription", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_MANDATORY, 0, NULL },
    { "ChargeFrequency", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_RECOMMENDED, FOCUS_1_0,
      "One-Time|Recurring|Usage-Based" },
    { "ChargePeriodEnd", FOCUS_1_0, FOCUS_1_4, FOCUS_TIME, FOCUS_MANDATORY, FOCUS_1_0, NULL },
    { "ChargePeriodStart", FOCUS_1_0, FOCUS_1_4, FOCUS_TIME, FOCUS_MANDATORY, FOCUS_1_0, NULL },
    { "CommitmentDiscountCategory", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, "Spend|Usage" },
    { "CommitmentDiscountId", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "CommitmentDiscountName", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "CommitmentDiscountQuantity", FOCUS_1_1, FOCUS_1_4, FOCUS_DECIMAL, FOCUS_CONDITIONAL, 0, NULL },
    { "CommitmentDiscountStatus", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, "Used|Unused" },
    { "CommitmentDiscountType", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "CommitmentDiscountUnit", FOCUS_1_1, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "CommitmentProgramEligibilityDetails", FOCUS_1_4, FOCUS_1_4, FOCUS_JSON, FOCUS_CONDITIONAL, 0, NULL },
    { "ConsumedQuantity", FOCUS_1_0, FOCUS_1_4, FOCUS_DECIMAL, FOCUS_CONDITIONAL, 0, NULL },
    { "ConsumedUnit", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "ContractApplied", FOCUS_1_3, FOCUS_1_4, FOCUS_JSON, FOCUS_CONDITIONAL, 0, NULL },
    { "ContractedCost", FOCUS_1_0, FOCUS_1_4, FOCUS_DECIMAL, FOCUS_MANDATORY, FOCUS_1_0, NULL },
    { "ContractedUnitPrice", FOCUS_1_0, FOCUS_1_4, FOCUS_DECIMAL, FOCUS_CONDITIONAL, 0, NULL },
    { "EffectiveCost", FOCUS_1_0, FOCUS_1_4, FOCUS_DECIMAL, FOCUS_MANDATORY, FOCUS_1_0, NULL },
    { "HostProviderName", FOCUS_1_3, FOCUS_1_4, FOCUS_STRING, FOCUS_MANDATORY, 0, NULL },
    { "InvoiceDetailId", FOCUS_1_4, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "InvoiceId", FOCUS_1_2, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "InvoiceIssuerName", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_MANDATORY, FOCUS_1_0, NULL },
    { "ListCost", FOCUS_1_0, FOCUS_1_4, FOCUS_DECIMAL, FOCUS_MANDATORY, FOCUS_1_0, NULL },
    { "ListUnitPrice", FOCUS_1_0, FOCUS_1_4, FOCUS_DECIMAL, FOCUS_CONDITIONAL, 0, NULL },
    { "PricingCategory", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0,
      "Standard|Dynamic|Committed|Other" },
    { "PricingCurrency", FOCUS_1_2, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, FOCUS_1_4, NULL },
    { "PricingCurrencyContractedUnitPrice", FOCUS_1_2, FOCUS_1_4, FOCUS_DECIMAL, FOCUS_CONDITIONAL, 0, NULL },
    { "PricingCurrencyEffectiveCost", FOCUS_1_2, FOCUS_1_4, FOCUS_DECIMAL, FOCUS_CONDITIONAL, FOCUS_1_4,
      NULL },
    { "PricingCurrencyListUnitPrice", FOCUS_1_2, FOCUS_1_4, FOCUS_DECIMAL, FOCUS_CONDITIONAL, 0, NULL },
    { "PricingQuantity", FOCUS_1_0, FOCUS_1_4, FOCUS_DECIMAL, FOCUS_MANDATORY, 0, NULL },
    { "PricingUnit", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_MANDATORY, 0, NULL },
    { "ProviderName", FOCUS_1_0, FOCUS_1_3, FOCUS_STRING, FOCUS_MANDATORY, FOCUS_1_0, NULL },
    { "PublisherName", FOCUS_1_0, FOCUS_1_3, FOCUS_STRING, FOCUS_MANDATORY, FOCUS_1_0, NULL },
    { "RegionId", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "RegionName", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "ResourceId", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "ResourceName", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "ResourceType", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "ServiceCategory", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_MANDATORY, FOCUS_1_0, SERVICE_CATEGORIES },
    { "ServiceName", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_MANDATORY, FOCUS_1_0, NULL },
    { "ServiceProviderName", FOCUS_1_3, FOCUS_1_4, FOCUS_STRING, FOCUS_MANDATORY, FOCUS_1_3, NULL },
    { "ServiceSubcategory", FOCUS_1_1, FOCUS_1_4, FOCUS_STRING, FOCUS_RECOMMENDED, FOCUS_1_1, NULL },
    { "SkuId", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "SkuMeter", FOCUS_1_1, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "SkuPriceDetails", FOCUS_1_1, FOCUS_1_4, FOCUS_KEY_VALUES, FOCUS_CONDITIONAL, 0, NULL },
    { "SkuPriceId", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "SubAccountId", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "SubAccountName", FOCUS_1_0, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "SubAccountType", FOCUS_1_2, FOCUS_1_4, FOCUS_STRING, FOCUS_CONDITIONAL, 0, NULL },
    { "Tags", FOCUS_1_0, FOCUS_1_4, FOCUS_KEY_VALUES, FOCUS_CONDITIONAL, 0, NULL },
};
/* clang-format on */

const int focus_column_rule_count = sizeof focus_column_rules / sizeof focus_column_rules[0];

static int compare(const void *name, const void *rule)
{
    return strcmp(name, ((const struct focus_column_rule *)rule)->name);
}

const struct focus_column_rule *focus_column_rule(const char *name)
{
    return bsearch(name, focus_column_rules, (size_t)focus_column_rule_count, sizeof focus_column_rules[0],
                   compare);
}

static bool has_name(char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

int focus_version_guess(char *const *names, int count)
{
    int version = 0;
    for (int i = 0; i < count; i++) {
        const struct focus_column_rule *rule = focus_column_rule(names[i]);
        if (rule != NULL && rule->first > version)
            version = rule->first;
    }
    if (version == FOCUS_1_3 && !has_name(names, count, "ProviderName") &&
        !has_name(names, count, "PublisherName"))
        version = FOCUS_1_4;
    return version;
}
