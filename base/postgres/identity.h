/* base/postgres/identity.h: which sources this program was made from, by their content.
 *
 * Two builds of one version may differ in a rule, and then in money. A build hashes the files that
 * decide it, so that nobody has to remember to raise a number.
 */
#ifndef KSTAR_BASE_POSTGRES_IDENTITY_H
#define KSTAR_BASE_POSTGRES_IDENTITY_H

/* Of all that decides what a statement says of given files: schema, loaders, allocation, model.
 * Sixteen hexadecimal digits. It is part of the run id. */
extern const char rules_identity[];

/* Of the part that decides what is read of a file. */
extern const char loader_identity[];

#endif
