/* ingest/bill/azure_additional.h: what AdditionalInfo says of a line that no column of the bill
 * does.
 *
 * It is a JSON object, or the inside of one. Of it are read the machine that a line of a scale set
 * is of (VMName), and the reservation of capacity that a line belongs to (VMCapacityReservationId).
 * A field that holds anything else says nothing; it is no problem of its row.
 */
#ifndef KSTAR_INGEST_BILL_AZURE_ADDITIONAL_H
#define KSTAR_INGEST_BILL_AZURE_ADDITIONAL_H

#include "ingest/bill/billing_format.h"

/* An object that may lack its braces with them; null stays null. Good until the next record. */
struct csv_field azure_object(struct billing_file *file, struct csv_field text);

/* Fills the capacity reservation of `row` and its status. Where its resource is a scale set and the
 * line says which of its machines it is of, the resource becomes that machine, as nodes name it:
 * …/virtualMachineScaleSets/NAME/virtualMachines/NUMBER. */
void azure_read_additional(struct billing_file *file, struct csv_field additional, struct billing_row *row);

#endif
