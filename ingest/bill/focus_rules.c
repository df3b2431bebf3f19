/* ingest/bill/focus_rules.c: see focus_rules.h. Source of the rules: FOCUS_Spec 1.0 to 1.4,
 * columns. */
#include "ingest/bill/focus_rules.h"

#include "ingest/bill/focus_columns.h"

/* clang-format off: a rule a line */
#define MUST(id, from, to, text, holds, ...)                                                                 \
    {                                                                                                        \
        id, FOCUS_##from, FOCUS_##to, FOCUS_MUST, { __VA_ARGS__ }, text, focus_##holds                       \
    }
#define EXPECTED(id, text, holds, ...)                                                                       \
    {                                                                                                        \
        id, FOCUS_1_0, FOCUS_1_4, FOCUS_EXPECTED, { __VA_ARGS__ }, text, focus_##holds                       \
    }

#define PAIR(column, other, from)                                                                            \
    MUST(column ".goes-with-" other, from, 1_4, "is null exactly where " other " is",                        \
         null_exactly_with_second, column, other)
#define NEEDS(column, other, from)                                                                           \
    MUST(column ".null-without-" other, from, 1_4, "is null where " other " is null", null_with_second,      \
         column, other)
#define STATUS(column, other, from)                                                                          \
    MUST(column ".set-on-usage", from, 1_4, "is not null on Usage where " other " is not",                   \
         set_on_usage_with_second, column, other)
#define NO_TAX(column)                                                                                       \
    MUST(column ".null-for-tax", 1_0, 1_4, "is null where ChargeCategory is Tax", null_for_tax, column)
#define PRICED(column)                                                                                       \
    MUST(column ".set-for-usage-and-purchase", 1_0, 1_4,                                                     \
         "is not null on Usage and Purchase, except corrections", set_for_usage_or_purchase, column)
#define SET_WITH_SKU_PRICE(column)                                                                           \
    MUST(column ".set-with-SkuPriceId", 1_3, 1_4, "is not null where SkuPriceId is not", set_with_second,    \
         column, "SkuPriceId")
#define CREDIT(column)                                                                                       \
    MUST(column ".equals-billed-for-credit", 1_0, 1_4, "equals BilledCost where ChargeCategory is Credit",   \
         equals_second_for_credit, column, "BilledCost")

/* In byte order of the columns. */
const struct focus_rule focus_rules[] = {
    EXPECTED("BilledCost.zero-when-used", "is 0 on Usage that a commitment covers", zero_when_used,
             "BilledCost", "CommitmentDiscountStatus"),
    MUST("BillingCurrency.code", 1_0, 1_4, "is a code of ISO 4217: three capital letters", is_currency,
         "BillingCurrency"),
    MUST("BillingPeriodEnd.after-start", 1_0, 1_4, "is after BillingPeriodStart", after_second,
         "BillingPeriodEnd", "BillingPeriodStart"),
    STATUS("CapacityReservationStatus", "CapacityReservationId", 1_1),
    NEEDS("CapacityReservationStatus", "CapacityReservationId", 1_1),
    MUST("ChargeFrequency.of-purchase", 1_0, 1_4, "is not Usage-Based on a Purchase", purchase_not_by_usage,
         "ChargeFrequency"),
    MUST("ChargePeriodEnd.after-start", 1_0, 1_4, "is after ChargePeriodStart", after_second,
         "ChargePeriodEnd", "ChargePeriodStart"),
    EXPECTED("ChargePeriodStart.in-billing-period", "is in the billing period on Usage, except corrections",
             in_billing_period, "ChargePeriodStart", "BillingPeriodStart", "BillingPeriodEnd"),
    PAIR("CommitmentDiscountCategory", "CommitmentDiscountId", 1_0),
    NEEDS("CommitmentDiscountName", "CommitmentDiscountId", 1_0),
    NEEDS("CommitmentDiscountQuantity", "SkuPriceId", 1_4),
    MUST("CommitmentDiscountQuantity.of-commitment", 1_1, 1_4,
         "is not null on Usage and Purchase with a CommitmentDiscountId, except corrections, and null "
         "elsewhere",
         commitment_quantity, "CommitmentDiscountQuantity", "CommitmentDiscountId"),
    STATUS("CommitmentDiscountStatus", "CommitmentDiscountId", 1_0),
    NEEDS("CommitmentDiscountStatus", "CommitmentDiscountId", 1_0),
    PAIR("CommitmentDiscountType", "CommitmentDiscountId", 1_0),
    PAIR("CommitmentDiscountUnit", "CommitmentDiscountQuantity", 1_1),
    MUST("ConsumedQuantity.null-off-usage", 1_0, 1_4, "is null where ChargeCategory is not Usage",
         null_off_usage, "ConsumedQuantity"),
    MUST("ConsumedQuantity.null-when-unused", 1_1, 1_4, "is null where CommitmentDiscountStatus is Unused",
         null_when_unused, "ConsumedQuantity", "CommitmentDiscountStatus"),
    NEEDS("ConsumedQuantity", "SkuPriceId", 1_3),
    MUST("ConsumedQuantity.set-when-used", 1_0, 1_2,
         "is not null on Usage, except corrections and unused commitments", set_when_used,
         "ConsumedQuantity"),
    PAIR("ConsumedUnit", "ConsumedQuantity", 1_0),
    CREDIT("ContractedCost"),
    MUST("ContractedCost.product", 1_0, 1_4,
         "is ContractedUnitPrice times PricingQuantity, except corrections", is_product_unless_correction,
         "ContractedCost", "ContractedUnitPrice", "PricingQuantity"),
    MUST("ContractedUnitPrice.not-negative", 1_0, 1_4, "is not negative", not_negative,
         "ContractedUnitPrice"),
    NO_TAX("ContractedUnitPrice"),
    NEEDS("ContractedUnitPrice", "SkuPriceId", 1_3),
    PRICED("ContractedUnitPrice"),
    SET_WITH_SKU_PRICE("ContractedUnitPrice"),
    CREDIT("EffectiveCost"),
    MUST("EffectiveCost.zero-on-commitment-purchase", 1_0, 1_4,
         "is 0 on a Purchase with a CommitmentDiscountId", zero_on_commitment_purchase, "EffectiveCost",
         "CommitmentDiscountId"),
    CREDIT("ListCost"),
    MUST("ListCost.product", 1_0, 1_2, "is ListUnitPrice times PricingQuantity, except corrections",
         is_product_unless_correction, "ListCost", "ListUnitPrice", "PricingQuantity"),
    MUST("ListCost.product", 1_3, 1_4, "is ListUnitPrice times PricingQuantity", is_product, "ListCost",
         "ListUnitPrice", "PricingQuantity"),
    MUST("ListUnitPrice.not-negative", 1_0, 1_4, "is not negative", not_negative, "ListUnitPrice"),
    NO_TAX("ListUnitPrice"),
    NEEDS("ListUnitPrice", "SkuPriceId", 1_3),
    PRICED("ListUnitPrice"),
    SET_WITH_SKU_PRICE("ListUnitPrice"),
    MUST("PricingCategory.committed", 1_0, 1_4, "is Committed on Usage with a CommitmentDiscountId",
         committed_when_covered, "PricingCategory", "CommitmentDiscountId"),
    NO_TAX("PricingCategory"),
    NEEDS("PricingCategory", "SkuPriceId", 1_3),
    PRICED("PricingCategory"),
    NO_TAX("PricingQuantity"),
    NEEDS("PricingQuantity", "SkuPriceId", 1_3),
    PRICED("PricingQuantity"),
    SET_WITH_SKU_PRICE("PricingQuantity"),
    PAIR("PricingUnit", "PricingQuantity", 1_0),
    PAIR("RegionName", "RegionId", 1_0),
    NEEDS("ResourceName", "ResourceId", 1_0),
    PAIR("ResourceType", "ResourceId", 1_0),
    NO_TAX("SkuId"),
    PRICED("SkuId"),
    NEEDS("SkuMeter", "SkuId", 1_1),
    MUST("SkuPriceDetails.keys", 1_2, 1_4, "has keys that FOCUS defines or that begin with x_",
         has_known_properties, "SkuPriceDetails"),
    NEEDS("SkuPriceDetails", "SkuPriceId", 1_1),
    NO_TAX("SkuPriceId"),
    PRICED("SkuPriceId"),
    PAIR("SubAccountName", "SubAccountId", 1_0),
    PAIR("SubAccountType", "SubAccountId", 1_2),
};
/* clang-format on */

const int focus_rule_count = sizeof focus_rules / sizeof focus_rules[0];
