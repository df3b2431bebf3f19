/* Kubernetes nodes to records: which machine, what it has, when it was seen. */
#include "tests/unit/node_test.h"

static const char *read_text(const char *text)
{
    return read_nodes(&kubernetes_format, text, NULL);
}

/* One node with this providerID and these annotations; the resource that it is taken for. */
static const char *resource_of(const char *provider_id, const char *annotations)
{
    static char resource[256];
    char text[1024];
    snprintf(text, sizeof text,
             "{\"items\": [{\"metadata\": {\"name\": \"n1\", \"creationTimestamp\": "
             "\"2026-09-01T00:00:00Z\", \"annotations\": {%s}},"
             " \"spec\": {%s%s%s}}]}",
             annotations, provider_id ? "\"providerID\": \"" : "", provider_id ? provider_id : "",
             provider_id ? "\"" : "");
    assert_int_equal(sscanf(read_text(text), "1: /n1 is %255s", resource), 1);
    return resource;
}

static void test_the_machine_is_named_as_its_bill_names_it(void **state)
{
    static const char vm[] =
        "/subscriptions/5f0e/resourceGroups/mc/providers/Microsoft.Compute/virtualMachines/vm-1";
    char provider_id[256];
    (void)state;
    snprintf(provider_id, sizeof provider_id, "azure://%s", vm);
    assert_string_equal(resource_of("aws:///eu-west-1a/i-0abc", ""), "i-0abc");
    assert_string_equal(resource_of(provider_id, ""), vm);
    assert_string_equal(resource_of("gce://project/us-central1-a/gke-n1", ""), "gke-n1");
    assert_string_equal(resource_of("gce://project/us-central1-a/gke-n1",
                                    "\"container.googleapis.com/instance_id\": \"8108478110475488564\""),
                        "8108478110475488564");
    assert_string_equal(resource_of("openstack:///2882c846-5c01", ""), "2882c846-5c01");
    assert_string_equal(resource_of("k3s://host-7", ""), "host-7");
    assert_string_equal(resource_of("bare", ""), "bare");
    assert_string_equal(resource_of("aws:///", ""), "/");
    assert_string_equal(resource_of(NULL, ""), "n1");
}

static void test_a_node_has_a_type_and_capacities_and_was_seen(void **state)
{
    (void)state;
    assert_string_equal(
        read_text("{\"apiVersion\": \"v1\", \"items\": [\n"
                  "{\"kind\": \"Node\", \"metadata\": {\"name\": \"n1\", \"creationTimestamp\": "
                  "\"2026-09-01T00:00:00Z\","
                  " \"labels\": {\"node.kubernetes.io/instance-type\": \"p5.48xlarge\"}},"
                  " \"spec\": {\"providerID\": \"aws:///a/i-1\"}, \"status\": {\"capacity\": {\"cpu\": "
                  "\"192\", \"nvidia.com/gpu\": \"8\"},"
                  " \"conditions\": [{\"lastHeartbeatTime\": \"2026-09-30T02:00:00Z\"}, "
                  "{\"lastHeartbeatTime\": \"2026-09-30T01:00:00Z\"},"
                  " {\"lastHeartbeatTime\": null}]}},\n"
                  "{\"kind\": \"Node\", \"metadata\": {\"name\": \"n2\", \"creationTimestamp\": "
                  "\"2026-09-02T00:00:00Z\","
                  " \"labels\": {\"beta.kubernetes.io/instance-type\": \"old\"}},"
                  " \"status\": {\"capacity\": {\"cpu\": \"95500m\", \"amd.com/gpu\": 4}}},\n"
                  "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"p\"}}], \"kind\": \"List\"}"),
        "2: /n1 is i-1 (p5.48xlarge) 2026-09-01T00:00:00Z to 2026-09-30T02:00:00Z UTC, 8 accelerators, 192 "
        "CPUs\n"
        "3: /n2 is n2 (old) 2026-09-02T00:00:00Z to 2026-09-02T00:00:00Z UTC, 4 accelerators, 95 CPUs\n"
        "4: ignored\n");
}

static void test_what_cannot_be_read_says_why(void **state)
{
    (void)state;
    assert_string_equal(
        read_text("[{\"metadata\": {\"name\": \"n1\"}},\n"
                  "{\"metadata\": {\"creationTimestamp\": \"2026-09-02T00:00:00Z\"}}, 7,\n"
                  "{\"metadata\": {\"name\": \"n1\", \"creationTimestamp\": \"yesterday\"}}]"),
        "1: metadata.creationTimestamp is not a time\n2: node is empty\n2: it is not an object\n"
        "3: metadata.creationTimestamp is not a time\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_machine_is_named_as_its_bill_names_it),
        cmocka_unit_test(test_a_node_has_a_type_and_capacities_and_was_seen),
        cmocka_unit_test(test_what_cannot_be_read_says_why),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
