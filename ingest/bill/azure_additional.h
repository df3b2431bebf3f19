/* ingest/bill/azure_additional.h: reads AdditionalInfo of an Azure line.
 *
 * AdditionalInfo is a JSON object, or the inside of one. It names the machine of a scale set
 * (VMName) and the capacity reservation (VMCapacityReservationId) of a line, which no column has.
 * Any other content is ignored; it is no problem of its row.
 */
#ifndef KSTAR_INGEST_BILL_AZURE_ADDITIONAL_H
#define KSTAR_INGEST_BILL_AZURE_ADDITIONAL_H

#include "ingest/bill/billing_format.h"

/* Adds missing braces to an object; null stays null. Valid until the next record. */
struct csv_field azure_object(struct billing_file *file, struct csv_field text);

/* Fills the capacity reservation of `row` and its status. If the resource is a scale set and the
 * line names one of its machines, the resource becomes that machine, as nodes name it:
 * …/virtualMachineScaleSets/NAME/virtualMachines/NUMBER. */
void azure_read_additional(struct billing_file *file, struct csv_field additional, struct billing_row *row);

#endif
