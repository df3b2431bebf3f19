/* ingest/bill/aws_product.c: see aws_product.h. */
#include "ingest/bill/aws_product.h"

#include <ctype.h>
#include <string.h>

struct category {
    const char *name, *category;
};

/* Products by lineItem/ProductCode. One that is not here is "Other". */
static const struct category products[] = {
    { "AWSBackup", "Storage" },
    { "AWSBudgets", "Management and Governance" },
    { "AWSCloudTrail", "Management and Governance" },
    { "AWSCodePipeline", "Developer Tools" },
    { "AWSConfig", "Management and Governance" },
    { "AWSCostExplorer", "Management and Governance" },
    { "AWSDataSync", "Migration" },
    { "AWSDataTransfer", "Networking" },
    { "AWSDirectConnect", "Networking" },
    { "AWSDirectoryService", "Identity" },
    { "AWSELB", "Networking" },
    { "AWSEvents", "Integration" },
    { "AWSFMS", "Security" },
    { "AWSGlobalAccelerator", "Networking" },
    { "AWSGlue", "Analytics" },
    { "AWSIoT", "Internet of Things" },
    { "AWSLambda", "Compute" },
    { "AWSNetworkFirewall", "Networking" },
    { "AWSQueueService", "Integration" },
    { "AWSSecretsManager", "Security" },
    { "AWSSecurityHub", "Security" },
    { "AWSStorageGateway", "Storage" },
    { "AWSSystemsManager", "Management and Governance" },
    { "AWSTransfer", "Migration" },
    { "AWSXRay", "Developer Tools" },
    { "AmazonApiGateway", "Integration" },
    { "AmazonAthena", "Analytics" },
    { "AmazonBedrock", "AI and Machine Learning" },
    { "AmazonBedrockService", "AI and Machine Learning" },
    { "AmazonCloudFront", "Networking" },
    { "AmazonCloudWatch", "Management and Governance" },
    { "AmazonCognito", "Identity" },
    { "AmazonDAX", "Databases" },
    { "AmazonDocDB", "Databases" },
    { "AmazonDynamoDB", "Databases" },
    { "AmazonEC2", "Compute" }, /* ec2_category divides it further */
    { "AmazonECR", "Compute" },
    { "AmazonECRPublic", "Compute" },
    { "AmazonECS", "Compute" },
    { "AmazonEFS", "Storage" },
    { "AmazonEKS", "Compute" },
    { "AmazonES", "Analytics" },
    { "AmazonElastiCache", "Databases" },
    { "AmazonFSx", "Storage" },
    { "AmazonGlacier", "Storage" },
    { "AmazonGrafana", "Management and Governance" },
    { "AmazonGuardDuty", "Security" },
    { "AmazonInspectorV2", "Security" },
    { "AmazonKinesis", "Analytics" },
    { "AmazonKinesisFirehose", "Analytics" },
    { "AmazonLightsail", "Compute" },
    { "AmazonMQ", "Integration" },
    { "AmazonMSK", "Analytics" },
    { "AmazonMWAA", "Integration" },
    { "AmazonMemoryDB", "Databases" },
    { "AmazonNeptune", "Databases" },
    { "AmazonPrometheus", "Management and Governance" },
    { "AmazonQuickSight", "Analytics" },
    { "AmazonRDS", "Databases" },
    { "AmazonRedshift", "Analytics" },
    { "AmazonRoute53", "Networking" },
    { "AmazonS3", "Storage" },
    { "AmazonS3GlacierDeepArchive", "Storage" },
    { "AmazonSES", "Business Applications" },
    { "AmazonSNS", "Integration" },
    { "AmazonSageMaker", "AI and Machine Learning" },
    { "AmazonStates", "Integration" },
    { "AmazonTextract", "AI and Machine Learning" },
    { "AmazonTimestream", "Databases" },
    { "AmazonVPC", "Networking" },
    { "AmazonWorkSpaces", "Business Applications" },
    { "ComputeSavingsPlans", "Compute" },
    { "DatabaseSavingsPlans", "Databases" },
    { "ElasticMapReduce", "Analytics" },
    { "MachineLearningSavingsPlans", "AI and Machine Learning" },
    { "awskms", "Security" },
    { "awswaf", "Security" },
};

/* AmazonEC2 by product/productFamily */
static const struct category ec2_families[] = {
    { "CPU Credits", "Compute" },
    { "Compute Instance", "Compute" },
    { "Compute Instance (bare metal)", "Compute" },
    { "Data Transfer", "Networking" },
    { "Dedicated Host", "Compute" },
    { "IP Address", "Networking" },
    { "Load Balancer", "Networking" },
    { "Load Balancer-Application", "Networking" },
    { "Load Balancer-Gateway", "Networking" },
    { "Load Balancer-Network", "Networking" },
    { "NAT Gateway", "Networking" },
    { "Provisioned Throughput", "Storage" },
    { "Storage", "Storage" },
    { "Storage Snapshot", "Storage" },
    { "System Operation", "Storage" },
};

/* and, without a known family, by the beginning of its usage type after the region
 * (USE2-BoxUsage:p5.48xlarge). */
static const struct category ec2_usages[] = {
    { "BoxUsage", "Compute" },       { "CPUCredits", "Compute" },
    { "CapacityBlock", "Compute" },  { "DataTransfer", "Networking" },
    { "DedicatedRes", "Compute" },   { "DedicatedUsage", "Compute" },
    { "EBS:", "Storage" },           { "EBSOptimized", "Compute" },
    { "ElasticIP", "Networking" },   { "HeavyUsage", "Compute" },
    { "HostBoxUsage", "Compute" },   { "HostUsage", "Compute" },
    { "LCUUsage", "Networking" },    { "LoadBalancerUsage", "Networking" },
    { "NatGateway", "Networking" },  { "PublicIPv4", "Networking" },
    { "Reservation", "Compute" },    { "ReservedHostUsage", "Compute" },
    { "SchedUsage", "Compute" },     { "SpotUsage", "Compute" },
    { "UnusedBox", "Compute" },      { "UnusedDed", "Compute" },
    { "VpcEndpoint", "Networking" },
};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static const char *find_name(const struct category *table, size_t count, const struct csv_field *text)
{
    for (size_t i = 0; text->text != NULL && i < count; i++) {
        if (strlen(table[i].name) == text->length && memcmp(table[i].name, text->text, text->length) == 0)
            return table[i].category;
    }
    return NULL;
}

/* Cuts off a region before the first '-': at most six capital letters and digits. */
static struct csv_field without_region(struct csv_field usage_type)
{
    size_t length = 0;
    while (
        length < usage_type.length && length <= 6 &&
        (isupper((unsigned char)usage_type.text[length]) || isdigit((unsigned char)usage_type.text[length])))
        length++;
    if (length == 0 || length > 6 || length == usage_type.length || usage_type.text[length] != '-')
        return usage_type;
    return (struct csv_field){ usage_type.text + length + 1, usage_type.length - length - 1 };
}

static const char *find_beginning(const struct category *table, size_t count, struct csv_field text)
{
    for (size_t i = 0; text.text != NULL && i < count; i++) {
        size_t length = strlen(table[i].name);
        if (length <= text.length && memcmp(table[i].name, text.text, length) == 0)
            return table[i].category;
    }
    return NULL;
}

static bool ends_with(const struct csv_field *text, const char *end)
{
    size_t length = strlen(end);
    return text->text != NULL && text->length >= length &&
           memcmp(text->text + text->length - length, end, length) == 0;
}

/* An EC2 line that is no instance, disk or traffic has no known category. A purchase without usage
 * type is one of instances. */
static const char *ec2_category(const struct csv_field *product_family, const struct csv_field *usage_type)
{
    const char *category = find_name(ec2_families, COUNT(ec2_families), product_family);
    if (category == NULL)
        category = find_beginning(ec2_usages, COUNT(ec2_usages), without_region(*usage_type));
    if (category == NULL && ends_with(usage_type, "-Bytes"))
        category = "Networking";
    if (category == NULL)
        category = product_family->text == NULL && usage_type->text == NULL ? "Compute" : "Other";
    return category;
}

const char *aws_service_category(const struct csv_field *product_code, const struct csv_field *product_family,
                                 const struct csv_field *usage_type)
{
    if (product_code->length == strlen("AmazonEC2") &&
        memcmp(product_code->text, "AmazonEC2", product_code->length) == 0)
        return ec2_category(product_family, usage_type);
    const char *category = find_name(products, COUNT(products), product_code);
    return category != NULL ? category : "Other";
}

bool aws_is_spot(const struct csv_field *usage_type)
{
    for (size_t at = 0; usage_type->text != NULL && at + 4 <= usage_type->length; at++) {
        if (memcmp(usage_type->text + at, "Spot", 4) == 0)
            return true;
    }
    return false;
}
