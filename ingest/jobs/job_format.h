/* ingest/jobs/job_format.h: the interface of job formats: one job_record per attempt.
 *
 * A format is one file that defines one `struct job_format` and one row of the table in
 * job_detect.c. It reads a file from front to back and uses no database: job_records.c stages its
 * records.
 */
#ifndef KSTAR_INGEST_JOBS_JOB_FORMAT_H
#define KSTAR_INGEST_JOBS_JOB_FORMAT_H

#include "base/error.h"
#include "base/time_text.h"
#include "ingest/text_slice.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* A time of a record. Without an offset, `at` is the clock time in the zone of the source, read as
 * UTC. */
struct job_time {
    bool known;
    time_us at;
};

/* A node that an attempt held, with its own time. */
struct job_hold {
    struct text_slice node;
    time_us start;
    struct job_time end;        /* not known: until the attempt ends */
    int64_t cpus, accelerators; /* of this node; −1: not in the record */
};

/* One attempt. Texts are valid until the format's next call. Unknown counts are −1. */
struct job_record {
    struct text_slice cluster, job_id, job_id_raw, job_name, account, user_name, partition, qos, wckey,
        comment;
    struct text_slice state_text, exit_code, node_list;
    struct text_slice array_job_id, array_task_id, heterogeneous_job_id;
    struct text_slice resource_id; /* a managed job's own cloud resource, as the bill names it */
    struct text_slice run_group;   /* as declared: attempts at one result */
    struct text_slice object_kind; /* of a snapshot: the kind of its object, as in a scope */
    int32_t heterogeneous_offset;  /* −1: none */
    char attempt_mark[64];         /* distinguishes attempts of one job */
    struct job_time submit, eligible, start, end;
    bool has_offset; /* the times above are UTC already */
    bool started;    /* it held nodes: start.known */
    /* it no longer holds nodes; without an end time it ended at start + elapsed + suspended */
    bool ended;
    /* without suspended time; 0: never started; −1: the time from start to end */
    int64_t elapsed_seconds;
    int64_t suspended_seconds;
    const char *state;           /* base state */
    int32_t node_count;          /* 0 if never started */
    int32_t listed_names;        /* names in node_list; 0 if none */
    int32_t listed_nodes;        /* different names among them */
    int64_t cpus, accelerators;  /* allocated, all nodes together */
    bool lists_no_accelerators;  /* the record lists the allocation, which has no device */
    char accelerator_types[256]; /* as the record names them, "a100,h100"; "": not known for all */
    /* instead of node_list: by node and start; holds of one node do not overlap */
    const struct job_hold *holds;
    size_t hold_count;
    /* The nodes are those at the time of the record, and a later record may name fewer. If the
     * record has `ended` but never `started`, a run that was seen before holds nothing any more. */
    bool holds_are_seen;
    struct job_time seen;     /* when the record was written, as far as its file shows */
    struct job_time all_seen; /* since when all of its workers are seen */

    int64_t line; /* where the record starts, from 1, and its bytes */
    struct text_slice raw;
    const char *wrong_column; /* of JOB_QUARANTINED: NULL for the record as a whole */
    char reason[256];         /* ends a sentence that begins with the column: "is not a time" */
};

enum job_outcome {
    JOB_RECORD,
    JOB_IGNORED,     /* not an attempt: a step */
    JOB_QUARANTINED, /* to be quarantined; line, raw, wrong_column and reason are set */
    JOB_END,
    JOB_FAILED, /* `error` says why; nothing of the file may be kept */
};

/* Objects of a kind in a namespace, all of which a snapshot shows. */
struct job_scope {
    struct text_slice name_space, kind;
};

enum { JOB_FAR_TIMES = 3, JOB_OBJECT_BYTES = 600 };

/* An object of a snapshot with a time that is far after those of all others. */
struct job_far_time {
    char object[JOB_OBJECT_BYTES]; /* "Pod namespace/name" */
    int64_t line, at;
};

/* A file that shows all objects of its scopes at one time: a known object that is not in the file
 * has ended. The reader owns everything. */
struct job_snapshot {
    struct job_time seen; /* when it was made, as far as it shows */
    const struct job_scope *scopes;
    size_t scope_count;
    /* job_id_raw of quarantined records, which are in the file and have not ended */
    const struct text_slice *unread;
    size_t unread_count;
    const struct job_far_time *far_times; /* the first of them in the file, JOB_FAR_TIMES at most */
    size_t far_time_count;
};

struct job_format_options {
    const char *delimiter; /* NULL: the format's own */
    /* names separated by commas, of a file without header; NULL: the format's own */
    const char *columns;
    /* the zone knows summer time: an end up to an hour before the start may be right */
    bool clock_may_go_back;
    /* A time of an object that is more than this many microseconds after those of all other
     * objects, and after the earlier horizon of the source, is not the time of the snapshot. */
    int64_t horizon_gap;
    struct job_time horizon;
    /* How many nodes the next record may list; this changes with each record. A longer list is not
     * read, and the record is refused by its count. NULL: no limit. */
    const int64_t *nodes_left;
};

/* The beginning of a file, by which formats recognise it. */
struct job_sample {
    struct text_slice line; /* the first line that is not blank, or the beginning of a long one */
    /* the first record of JSON, read under the format's json_members; else NULL */
    const cJSON *record;
    const struct job_format_options *options;
};

/* Whether the line has a field of that name, in any letter case, with or without quotes. */
bool job_sample_has_column(const struct job_sample *sample, const char *delimiter, const char *name);

struct job_format {
    const char *name;
    /* Of JSON: the members of a document that hold records (json_records.h); text: NULL. */
    const char *const *json_members;
    /* Whether a file that begins like this has this format. If two formats claim it, neither is
     * chosen. */
    bool (*recognises)(const struct job_sample *sample);
    const struct managed_service *service; /* of a cloud's training jobs: managed_job.h; else NULL */
    void *(*open)(const struct job_format *format, const char *path, const struct job_format_options *options,
                  struct error *error);
    enum job_outcome (*next)(void *reader, struct job_record *record, struct error *error);
    int64_t (*position)(const void *reader); /* bytes of the file read so far, for progress */
    void (*close)(void *reader);             /* NULL is allowed */
    /* Called at the end of the file. NULL: files report events, and jobs that are not in a file
     * continue. */
    void (*snapshot)(const void *reader, struct job_snapshot *snapshot);
    /* A file lists every run of its clusters that had time in its window, which ends when the file
     * was made. If a later file does not list a running job, the run has ended. */
    bool lists_runs;
};

extern const struct job_format sacct_format;
extern const struct job_format sacct_json_format;
extern const struct job_format plain_csv_format;
extern const struct job_format plain_json_format;
extern const struct job_format sagemaker_format;
extern const struct job_format vertex_format;
extern const struct job_format azureml_format;
extern const struct job_format kubernetes_jobs_format;
extern const struct job_format pbs_format;

#endif
