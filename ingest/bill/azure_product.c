/* ingest/bill/azure_product.c: see azure_product.h. */
#include "ingest/bill/azure_product.h"

#include <ctype.h>

const char *azure_service_category(const struct csv_field *meter_category)
{
    static const struct {
        const char *meter, *category;
    } meters[] = {
        { "Application Gateway", "Networking" },
        { "Azure App Service", "Web" },
        { "Azure Cosmos DB", "Databases" },
        { "Azure Data Factory v2", "Integration" },
        { "Azure Databricks", "Analytics" },
        { "Azure DDoS Protection", "Networking" },
        { "Azure Firewall", "Networking" },
        { "Azure Kubernetes Service", "Compute" },
        { "Azure Machine Learning", "AI and Machine Learning" },
        { "Azure Monitor", "Management and Governance" },
        { "Azure OpenAI", "AI and Machine Learning" },
        { "Azure Synapse Analytics", "Analytics" },
        { "Backup", "Storage" },
        { "Bandwidth", "Networking" },
        { "Cognitive Services", "AI and Machine Learning" },
        { "Container Instances", "Compute" },
        { "Container Registry", "Compute" },
        { "ExpressRoute", "Networking" },
        { "Functions", "Compute" },
        { "Key Vault", "Security" },
        { "Load Balancer", "Networking" },
        { "Log Analytics", "Management and Governance" },
        { "Microsoft Defender for Cloud", "Security" },
        { "NAT Gateway", "Networking" },
        { "Redis Cache", "Databases" },
        { "SQL Database", "Databases" },
        { "Service Bus", "Integration" },
        { "Storage", "Storage" },
        { "Virtual Machines", "Compute" },
        { "Virtual Machines Licenses", "Compute" },
        { "Virtual Network", "Networking" },
        { "VPN Gateway", "Networking" },
    };
    for (size_t i = 0; i < sizeof meters / sizeof meters[0]; i++) {
        if (billing_text_is(meter_category, meters[i].meter))
            return meters[i].category;
    }
    return "Other";
}

/* Reads the number at the start of `text`, without thousands separators, K or M as zeros; 1 if
 * there is none. Returns the number's end, or NULL. */
static const char *read_block(const struct csv_field *text, struct decimal *block)
{
    char digits[DECIMAL_TEXT_BYTES] = "1";
    size_t length = 0, at = 0;
    while (at < text->length && length + 7 < sizeof digits &&
           (isdigit((unsigned char)text->text[at]) || text->text[at] == ',' || text->text[at] == '.')) {
        if (text->text[at] != ',')
            digits[length++] = text->text[at];
        at++;
    }
    int zeros = at < text->length && text->text[at] == 'K'   ? 3
                : at < text->length && text->text[at] == 'M' ? 6
                                                             : 0;
    bool is_suffix = length > 0 && zeros > 0 &&
                     (at + 1 == text->length || text->text[at + 1] == ' ' || text->text[at + 1] == '/');
    for (int i = 0; is_suffix && i < zeros; i++)
        digits[length++] = '0';
    bool ok = decimal_parse(digits, at > 0 ? length : 1, block) && block->group_count > 0;
    return ok ? text->text + at + is_suffix : NULL;
}

/* Gives a unit of time the name that allocation uses. */
static struct csv_field name_unit(struct csv_field unit)
{
    static const struct {
        const char *spelling, *unit;
    } times[] = {
        { "Hour", "Hours" }, { "1 Hour", "Hours" },   { "hora", "Hours" },        { "小时", "Hours" },
        { "Day", "Days" },   { "Minute", "Minutes" }, { "Minute(s)", "Minutes" }, { "Second", "Seconds" },
    };
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        if (billing_text_is(&unit, times[i].spelling))
            return billing_literal(times[i].unit);
    }
    return unit.length > 0 ? unit : billing_literal("Units");
}

bool azure_unit(const struct csv_field *text, struct decimal *block, struct csv_field *unit)
{
    const char *rest = text->text != NULL && text->length > 0 ? read_block(text, block) : NULL;
    if (rest == NULL)
        return false;
    const char *end = text->text + text->length;
    while (rest < end && *rest == ' ')
        rest++;
    *unit = name_unit((struct csv_field){ rest, (size_t)(end - rest) });
    return true;
}
