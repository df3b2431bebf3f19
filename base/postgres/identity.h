/* base/postgres/identity.h: hashes of the sources that this program was built from.
 *
 * Two builds of one version may differ in a rule, and so in money. A build hashes the files with
 * the rules, so that nobody has to remember to increase a number.
 */
#ifndef KSTAR_BASE_POSTGRES_IDENTITY_H
#define KSTAR_BASE_POSTGRES_IDENTITY_H

/* Hash of everything that decides the statement of given files: schema, loaders, allocation, model.
 * Sixteen hexadecimal digits, part of the run id. */
extern const char rules_identity[];

/* Hash of the part that decides how a file is read. */
extern const char loader_identity[];

#endif
