/* ingest/bill/aws_tags.h: tags and cost categories of AWS's bills as FOCUS Tags.
 *
 * A report has a column per tag, resourceTags/user:team or resource_tags_user_team, or columns that
 * hold a JSON object: resource_tags, cost_category and tags. The key of a tag is the user's own,
 * without AWS's `user:`. Keys of AWS keep their `aws:`, and keys that are not of the resource keep
 * a prefix:
 *
 *     resourceTags/user:team          team            resource_tags_user_team        team
 *     resourceTags/aws:createdBy      aws:createdBy   resource_tags_aws_created_by   aws_created_by
 *     costCategory/Project            costCategory/Project
 *     accountTag/…, userAttribute/…   as they stand
 *
 * Athena and CUR 2.0 deliver keys in small letters with underscores: costCenter is cost_center
 * there, and the file does not show the original. An empty value is no tag.
 */
#ifndef KSTAR_INGEST_BILL_AWS_TAGS_H
#define KSTAR_INGEST_BILL_AWS_TAGS_H

#include "ingest/bill/billing_format.h"

/* The tag columns of a file. */
struct aws_tags {
    struct aws_tag_column *columns; /* by key */
    int count;
};

/* Finds the tag columns, and takes them out of the file's custom columns. */
void aws_tags_find(struct billing_file *file, struct aws_tags *tags);
void aws_tags_free(struct aws_tags *tags);

/* Fills the Tags of the row: one JSON object sorted by key, or null without tags. `tags` NULL: the
 * file has no tag columns. */
void aws_tags_read(struct billing_file *file, const struct csv_record *record, const struct aws_tags *tags,
                   struct billing_row *row);

#endif
