/* ingest/jobs/kubernetes_resources.h: quantities of a Kubernetes resource list: `capacity` of a
 * node, `limits` and `requests` of a container. All of it pure. */
#ifndef KSTAR_INGEST_JOBS_KUBERNETES_RESOURCES_H
#define KSTAR_INGEST_JOBS_KUBERNETES_RESOURCES_H

#include <cjson/cJSON.h>
#include <stdint.h>

/* A quantity in thousandths: 8, "8", "7910m", "2.5". −1 if it is missing, below zero or another
 * number; suffixes of memory (Ki, G) are not accepted. */
int64_t kubernetes_thousandths(const cJSON *member);

/* Whole accelerators among the extended resources, of all makers together; 0: none. A slice of one
 * (MIG) does not count. */
int64_t kubernetes_accelerators(const cJSON *resources);

#endif
