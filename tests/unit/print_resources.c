/* print_resources SEED COUNT: random resources and their parts as JSON, one resource a line, for
 * tests/program/test_resource_twin.py, which works the parts out again. Numbers that may be large
 * are text. */
#include "model/statistics/seeded_random.h"
#include "tests/unit/resource_sample.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_decimal(const char *name, const struct exact_decimal *decimal)
{
    gmp_printf("\"%s\":[\"%Zd\",%u],", name, decimal->units, decimal->scale);
}

static void print_lines(const struct resource *resource)
{
    for (size_t i = 0; i < resource->line_count; i++) {
        const struct resource_line *line = &resource->lines[i];
        printf("%s{\"start\":%" PRId64 ",\"end\":%" PRId64 ",\"source\":%u,\"sku\":%" PRIu64 ",",
               i > 0 ? "," : "", line->start, line->end, line->source, line->sku);
        print_decimal("seconds", &line->seconds);
        print_decimal("billed", &line->billed_cost);
        print_decimal("effective", &line->effective_cost);
        print_decimal("list", &line->list_cost);
        print_decimal("contracted", &line->contracted_cost);
        print_decimal("corrected", &line->corrected_seconds);
        printf("\"usage\":%d,\"correction\":%d,\"hardware\":%d,\"states_time\":%d,\"has_corrected\":%d}",
               line->is_usage, line->is_correction, line->is_hardware, line->states_time,
               line->has_corrected_seconds);
    }
}

static void print_input(const struct resource *resource)
{
    printf("{\"is_job\":%d,\"lines\":[", resource->is_job);
    print_lines(resource);
    printf("],\"presences\":[");
    for (size_t i = 0; i < resource->presence_count; i++) {
        const struct resource_presence *row = &resource->presences[i];
        printf("%s[%" PRId64 ",%" PRId64 ",%" PRId64 "]", i > 0 ? "," : "", row->from, row->to,
               row->recorded_to);
    }
    printf("],\"attempts\":[");
    for (size_t i = 0; i < resource->attempt_count; i++)
        printf("%s[%" PRIu64 ",%" PRIu64 "]", i > 0 ? "," : "", resource->attempts[i].kept,
               resource->attempts[i].refunded);
    printf("],\"holds\":[");
    for (size_t i = 0; i < resource->hold_count; i++) {
        const struct resource_hold *hold = &resource->holds[i];
        printf("%s[%" PRId64 ",%" PRId64 ",%zu,%" PRIu64 ",%" PRIu64 "]", i > 0 ? "," : "", hold->start,
               hold->end, hold->attempt, hold->share_numerator, hold->share_divisor);
    }
    printf("],\"parts\":[");
}

static void print_part(const struct resource_part *part, void *context)
{
    bool *is_first = context;
    mpz_t units;
    mpz_init(units);
    printf("%s[%zu,%d,%zu,[", *is_first ? "" : ",", part->line, part->target, part->attempt);
    for (int cost = 0; cost < COST_COUNT; cost++) {
        resource_part_units(part, cost, units);
        gmp_printf("%s\"%Zd\"", cost > 0 ? "," : "", units);
    }
    gmp_printf("],\"%Zd\",\"%Zd\",%" PRIu64 ",%d,\"%Qd\"]", part->weight, part->weights_per_microsecond,
               part->microseconds, part->is_priced, part->excess);
    mpz_clear(units);
    *is_first = false;
}

int main(int argc, char **argv)
{
    struct seeded_random random;
    struct resource_merge *merge = resource_merge_open();
    unsigned long count = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    seeded_random_start(&random, argc == 3 ? strtoull(argv[1], NULL, 10) : 0);
    for (unsigned long i = 0; i < count; i++) {
        uint8_t bytes[SAMPLE_BYTES];
        struct resource_sample sample;
        bool is_first = true;
        for (size_t j = 0; j < sizeof bytes; j++)
            bytes[j] = (uint8_t)(seeded_random_bits(&random) >> 32);
        resource_sample_make(&sample, bytes, sizeof bytes);
        print_input(&sample.resource);
        resource_merge(merge, &sample.resource, print_part, &is_first);
        puts("]}");
        resource_sample_clear(&sample);
    }
    resource_merge_close(merge);
    return 0;
}
