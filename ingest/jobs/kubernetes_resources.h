/* ingest/jobs/kubernetes_resources.h: quantities of a Kubernetes resource list: `capacity` of a
 * node, `limits` and `requests` of a container. All of it pure. */
#ifndef KSTAR_INGEST_JOBS_KUBERNETES_RESOURCES_H
#define KSTAR_INGEST_JOBS_KUBERNETES_RESOURCES_H

#include <cjson/cJSON.h>
#include <stdint.h>

/* A quantity in thousandths: 8, "8", "7910m", "2.5". −1 where there is none, or it is below zero or
 * no such number; suffixes of memory (Ki, G) are none here. */
int64_t kubernetes_thousandths(const cJSON *member);

/* Extended resources that are whole accelerators, all makers' together; 0 where there are none. A
 * slice of one (MIG) is none of them. */
int64_t kubernetes_accelerators(const cJSON *resources);

#endif
