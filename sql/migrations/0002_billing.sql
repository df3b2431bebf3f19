-- Bills. A delivery is all files of one source for its billing periods; a load is what it holds of one period;
-- exactly one load per source and period is current. What is current is a row (current_load), not a partition.
-- Lines belong to a chunk, a piece of a file, and loads share the chunks that have not changed between them.

CREATE TABLE delivery (
    delivery_id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source        text NOT NULL,
    kind          text NOT NULL CHECK (kind IN ('billing', 'jobs', 'efficiency')),
    label         text NOT NULL,     -- where it was found, from the inbox: 'billing/aws/2026-09'
    sha256        text NOT NULL,     -- over its files' hashes, in order
    row_count     bigint NOT NULL DEFAULT 0,
    rejected_rows bigint NOT NULL DEFAULT 0
);
CREATE INDEX delivery_label ON delivery (source, kind, label, delivery_id);

CREATE TABLE source_file (
    file_id     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery_id integer NOT NULL REFERENCES delivery ON DELETE CASCADE,
    path        text NOT NULL,       -- relative to the delivery's label
    sha256      text NOT NULL,
    bytes       bigint NOT NULL
);

CREATE TABLE load (
    load_id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery_id     integer NOT NULL REFERENCES delivery ON DELETE CASCADE,
    source          text NOT NULL,
    billing_period  date NOT NULL,   -- BillingPeriodStart
    statement_month date NOT NULL,   -- first day of the calendar month whose statement this is
    row_count       bigint NOT NULL,
    covered_from    timestamptz,     -- earliest ChargePeriodStart and latest ChargePeriodEnd of its Usage lines
    covered_to      timestamptz
);
CREATE TABLE current_load (
    source         text NOT NULL,
    billing_period date NOT NULL,
    load_id        integer NOT NULL REFERENCES load ON DELETE CASCADE,
    PRIMARY KEY (source, billing_period)
);

-- Dimensions: recurring text, stored once. The key is 64 bits of a hash of the content (base-independent, the same
-- on every machine and in every order); ingest refuses a delivery in which one key stands for two texts.
-- A dimension whose columns are all null has no row: the line's key is null.
CREATE TABLE account (
    account_key          bigint PRIMARY KEY,
    provider_name        text,       -- ServiceProviderName where there is one (1.3 and later)
    publisher_name       text,
    billing_account_id   text,
    billing_account_name text,
    billing_account_type text,
    sub_account_id       text,
    sub_account_name     text,
    sub_account_type     text
);
CREATE TABLE invoice (
    invoice_key         bigint PRIMARY KEY,
    source              text NOT NULL,
    billing_period      text NOT NULL, -- YYYY-MM-DD: tells open invoices (no InvoiceId yet) apart
    invoice_issuer_name text,
    invoice_id          text,
    billing_currency    text NOT NULL
);
CREATE TABLE resource (
    resource_key      bigint PRIMARY KEY,
    resource_id       text,
    resource_name     text,
    resource_type     text,
    region_id         text,
    region_name       text,
    availability_zone text
);
CREATE INDEX resource_by_id ON resource (lower(resource_id));
CREATE TABLE sku (
    sku_key                  bigint PRIMARY KEY,
    service_category         text,
    service_subcategory      text,
    service_name             text,
    sku_id                   text,
    sku_price_id             text,
    sku_meter                text,
    sku_price_details        text,
    pricing_unit             text,
    consumed_unit            text,
    list_unit_price          text,   -- decimals as written
    contracted_unit_price    text,
    pricing_currency         text
);
CREATE TABLE commitment (
    commitment_key               bigint PRIMARY KEY,
    commitment_discount_id       text,
    commitment_discount_name     text,
    commitment_discount_category text,
    commitment_discount_type     text,
    commitment_discount_unit     text,
    capacity_reservation_id      text
);
CREATE TABLE charge_kind (
    charge_kind_key             bigint PRIMARY KEY,
    charge_category             text NOT NULL,
    charge_class                text,
    charge_frequency            text,
    pricing_category            text,
    commitment_discount_status  text,
    capacity_reservation_status text
);
CREATE TABLE charge_description (
    charge_description_key bigint PRIMARY KEY,
    charge_description     text NOT NULL
);
CREATE TABLE tag_set (
    tag_set_key bigint PRIMARY KEY,
    tags        jsonb NOT NULL
);
CREATE INDEX tag_set_tags ON tag_set USING gin (tags);
CREATE TABLE custom_columns (
    custom_columns_key bigint PRIMARY KEY,
    columns            jsonb NOT NULL -- columns that are not FOCUS's, as text
);

-- A piece of a file, cut between two records where its content says (base/text/csv_pieces.h), and what it holds of one
-- billing period: one row per piece and period. A delivery in which the same bytes stand under the same header has its
-- lines already, and they are not read again.
CREATE SEQUENCE chunk_number AS bigint INCREMENT BY 1048576; -- a delivery numbers its pieces from a value of its own on

CREATE TABLE chunk (
    chunk_id       bigint NOT NULL,
    billing_period date NOT NULL,
    source         text NOT NULL,
    content_key    bytea,            -- hash of the bytes and of all that decides how they are read; null: not to be shared
    line_count     integer NOT NULL, -- physical lines of the whole piece
    record_count   integer NOT NULL, -- of the whole piece, too
    last_line      integer NOT NULL, -- line_in_chunk of the period's last row
    row_count      integer NOT NULL,
    covered_from   timestamptz,      -- earliest ChargePeriodStart and latest ChargePeriodEnd of its Usage lines
    covered_to     timestamptz,
    PRIMARY KEY (chunk_id, billing_period)
);
CREATE INDEX chunk_shareable ON chunk (source, chunk_id) WHERE content_key IS NOT NULL;

-- What a chunk's lines of an invoice come to, and the money of records that make no line because others take it back:
-- over a load that comes to 0 in each currency, and where it does not, what is left stands among the rejected rows.
CREATE TABLE chunk_invoice (
    chunk_id       bigint NOT NULL,
    billing_period date NOT NULL,
    invoice_key    bigint NOT NULL,
    billed_cost    numeric NOT NULL,
    effective_cost numeric NOT NULL,
    cancelled_cost numeric NOT NULL,
    PRIMARY KEY (chunk_id, billing_period, invoice_key)
);

-- Where a load has its chunks: of current loads, and of those that a closed statement was made of. The same chunk may
-- stand twice in a load: its lines then count twice.
CREATE TABLE load_chunk (
    load_id        integer NOT NULL, -- no foreign key: checking thousands of rows takes longer than storing them
    file_id        integer NOT NULL,
    first_line     bigint NOT NULL,  -- line number of the chunk's first line in that file
    chunk_id       bigint NOT NULL,
    billing_period date NOT NULL,    -- the load's
    PRIMARY KEY (load_id, file_id, first_line)
);
CREATE INDEX load_chunk_chunk ON load_chunk (chunk_id, billing_period);

-- Wide columns first: no byte of a row is padding.
CREATE TABLE billing_line (
    charge_period_start    timestamptz NOT NULL,
    charge_period_end      timestamptz NOT NULL,
    invoice_key            bigint NOT NULL,
    charge_kind_key        bigint NOT NULL,
    account_key            bigint,
    resource_key           bigint,
    sku_key                bigint,
    commitment_key         bigint,
    tag_set_key            bigint,
    charge_description_key bigint,
    custom_columns_key     bigint,
    chunk_id               bigint NOT NULL,
    billing_period         date NOT NULL,
    line_in_chunk          integer NOT NULL,  -- from 0: its number in a file is load_chunk.first_line + line_in_chunk
    row_in_record          smallint NOT NULL, -- from 0: a provider's record may make several lines
    billed_cost            numeric NOT NULL,
    effective_cost         numeric NOT NULL,
    list_cost              numeric,
    contracted_cost        numeric,
    consumed_quantity      numeric,
    pricing_quantity       numeric
) PARTITION BY LIST (billing_period);

-- Rows that could not be read. Those whose money and currency are readable stand on the statement as
-- 'unallocated: quarantined'; the others keep its close waiting.
CREATE TABLE rejected_row (
    delivery_id      integer NOT NULL REFERENCES delivery ON DELETE CASCADE,
    file_id          integer NOT NULL,
    line_number      bigint NOT NULL,
    column_name      text,           -- null: the row as a whole
    reason           text NOT NULL,
    raw              bytea NOT NULL, -- the row as it stands in the file, at most 64 KiB
    billing_period   date,           -- of a bill: where readable, else the period of the row before it
    invoice_key      bigint,
    billed_cost      numeric,
    effective_cost   numeric,
    billing_currency text
);
CREATE INDEX rejected_row_delivery ON rejected_row (delivery_id, file_id, line_number);

-- Makes the partition of a billing period, and returns its name. Attaching a table that is empty takes a lock that
-- readers do not notice, where CREATE … PARTITION OF would wait for them. There is no index: a statement reads all of a
-- period's lines, and each one would cost a load a fifth of its time.
CREATE FUNCTION ensure_billing_partition(period date) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    partition_name text := 'billing_line_' || to_char(period, 'YYYYMMDD');
BEGIN
    IF to_regclass('kstar.' || quote_ident(partition_name)) IS NULL THEN
        EXECUTE format('CREATE TABLE kstar.%I (LIKE kstar.billing_line INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
                       partition_name);
        EXECUTE format('ALTER TABLE kstar.billing_line ATTACH PARTITION kstar.%I FOR VALUES IN (%L)',
                       partition_name, period);
    END IF;
    RETURN partition_name;
END
$$;

-- The lines that count: those of the current loads, each as often as its chunk stands in the load.
CREATE VIEW current_billing_line AS
SELECT load_id, file_id, first_line + line_in_chunk AS line_number, row_in_record, billing_line.billing_period,
       charge_period_start, charge_period_end, invoice_key, charge_kind_key, account_key, resource_key, sku_key,
       commitment_key, tag_set_key, charge_description_key, custom_columns_key, billed_cost, effective_cost, list_cost,
       contracted_cost, consumed_quantity, pricing_quantity, load.source, load.statement_month, load.delivery_id
FROM current_load
JOIN load USING (load_id)
JOIN load_chunk USING (load_id)
JOIN billing_line ON billing_line.chunk_id = load_chunk.chunk_id AND billing_line.billing_period = load_chunk.billing_period;
