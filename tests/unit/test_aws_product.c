/* Which of AWS's products are compute, and which only come with it. */
#include "ingest/bill/aws_product.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_only_instances_are_compute(void **state)
{
    static const struct {
        const char *code, *family, *usage_type, *category;
    } cases[] = {
        { "AmazonEC2", "Compute Instance", "USE2-BoxUsage:p5.48xlarge", "Compute" },
        { "AmazonEC2", "", "APN1-SpotUsage:g5.xlarge", "Compute" },
        { "AmazonEC2", "", "BoxUsage", "Compute" },
        { "AmazonEC2", "", "EU-UnusedBox:p4d.24xlarge", "Compute" },
        { "AmazonEC2", "Storage", "USE2-EBS:VolumeUsage.gp3", "Storage" },
        { "AmazonEC2", "", "USE2-EBS:VolumeUsage.gp3", "Storage" },
        { "AmazonEC2", "NAT Gateway", "USE2-NatGateway-Hours", "Networking" },
        { "AmazonEC2", "", "NatGateway-Hours", "Networking" },
        { "AmazonEC2", "", "USE1-USE2-AWS-Out-Bytes", "Networking" },
        { "AmazonEC2", "", "DataTransfer-Regional-Bytes", "Networking" },
        { "AmazonEC2", "Novelty", "USE2-Novelty-Hours", "Other" },
        { "AmazonEC2", "", "", "Compute" },
        { "AmazonSageMaker", "ML Instance", "USE2-Train:ml.p4d.24xlarge", "AI and Machine Learning" },
        { "AmazonS3", "", "TimedStorage-ByteHrs", "Storage" },
        { "AmazonVPC", "", "USE2-PublicIPv4:InUseAddress", "Networking" },
        { "ComputeSavingsPlans", "", "ComputeSP:1yrNoUpfront", "Compute" },
        { "AWSSupportEnterprise", "", "", "Other" },
        { "amazonec2", "", "", "Other" },
        { "", "", "", "Other" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct csv_field fields[3];
        const char *texts[3] = { cases[i].code, cases[i].family, cases[i].usage_type };
        for (int j = 0; j < 3; j++)
            fields[j] = (struct csv_field){ texts[j][0] != '\0' ? texts[j] : NULL, strlen(texts[j]) };
        assert_string_equal(cases[i].category, aws_service_category(&fields[0], &fields[1], &fields[2]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_instances_are_compute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
