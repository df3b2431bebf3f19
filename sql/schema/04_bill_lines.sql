-- Bill lines and their dimensions. A line belongs to a chunk: a number of consecutive records of a
-- file. Loads share the chunks that did not change between them.

-- Dimensions are recurring texts, each stored once. The key is a 64-bit hash of the text, so it is
-- the same on every machine and in every order. If two texts have one key, ingest refuses the
-- delivery. A line whose columns of a dimension are all empty has null instead of a key. kstar
-- verify computes text_hash again from the stored row (dimension_store.sql).

-- A billing account and sub-account of a provider.
CREATE TABLE account (
    account_key          bigint PRIMARY KEY,
    provider_name        text, -- ServiceProviderName where there is one (1.3 and later)
    publisher_name       text,
    billing_account_id   text,
    billing_account_name text,
    billing_account_type text,
    sub_account_id       text,
    sub_account_name     text,
    sub_account_type     text,
    text_hash            bigint NOT NULL
);

-- An invoice of a source in one billing currency; an open one has no invoice_id yet.
CREATE TABLE invoice (
    invoice_key         bigint PRIMARY KEY,
    source              text NOT NULL,
    billing_period      text NOT NULL, -- YYYY-MM-DD: distinguishes open invoices (no InvoiceId yet)
    invoice_issuer_name text,
    invoice_id          text,
    billing_currency    text NOT NULL,
    text_hash           bigint NOT NULL
);

-- A billed resource. A change of its name, type or region makes another row.
CREATE TABLE resource (
    resource_key      bigint PRIMARY KEY,
    resource_id       text,
    resource_name     text,
    resource_type     text,
    region_id         text,
    region_name       text,
    availability_zone text,
    text_hash         bigint NOT NULL
);
CREATE INDEX resource_by_id ON resource (lower(resource_id));

-- A service and SKU with its units and unit prices, as lines of bills have them together.
CREATE TABLE sku (
    sku_key               bigint PRIMARY KEY,
    service_category      text,
    service_subcategory   text,
    service_name          text,
    sku_id                text,
    sku_price_id          text,
    sku_meter             text,
    sku_price_details     text,
    pricing_unit          text,
    consumed_unit         text,
    list_unit_price       text, -- decimals as written
    contracted_unit_price text,
    pricing_currency      text,
    text_hash             bigint NOT NULL
);

-- A commitment discount, or a capacity reservation, that a line names.
CREATE TABLE commitment (
    commitment_key               bigint PRIMARY KEY,
    commitment_discount_id       text,
    commitment_discount_name     text,
    commitment_discount_category text,
    commitment_discount_type     text,
    commitment_discount_unit     text,
    capacity_reservation_id      text,
    text_hash                    bigint NOT NULL
);

-- The kind of a charge: the FOCUS columns that say what is charged and how it is priced.
CREATE TABLE charge_kind (
    charge_kind_key             bigint PRIMARY KEY,
    charge_category             text NOT NULL,
    charge_class                text,
    charge_frequency            text,
    pricing_category            text,
    commitment_discount_status  text,
    capacity_reservation_status text,
    text_hash                   bigint NOT NULL
);

-- A ChargeDescription.
CREATE TABLE charge_description (
    charge_description_key bigint PRIMARY KEY,
    charge_description     text NOT NULL,
    text_hash              bigint NOT NULL
);

-- All tags of a line.
CREATE TABLE tag_set (
    tag_set_key bigint PRIMARY KEY,
    tags        jsonb NOT NULL,
    text_hash   bigint NOT NULL
);
CREATE INDEX tag_set_tags ON tag_set USING gin (tags);

-- All columns of a line that are not columns of FOCUS.
CREATE TABLE custom_columns (
    custom_columns_key bigint PRIMARY KEY,
    columns            jsonb NOT NULL, -- columns that are not FOCUS's, as text
    text_hash          bigint NOT NULL
);

-- The rows of all dimensions. `dimension` is its number in ingest/bill/dimension.h, and `texts` are
-- its columns in order. JSON is as PostgreSQL prints it.
CREATE VIEW stored_dimension AS
SELECT 0::smallint AS dimension, 'account' AS name, account_key AS dimension_key,
       ARRAY[provider_name, publisher_name, billing_account_id, billing_account_name, billing_account_type, sub_account_id, sub_account_name,
             sub_account_type] AS texts, text_hash
FROM account
UNION ALL
SELECT 1::smallint, 'invoice', invoice_key, ARRAY[source, billing_period, invoice_issuer_name, invoice_id, billing_currency], text_hash
FROM invoice
UNION ALL
SELECT 2::smallint, 'resource', resource_key, ARRAY[resource_id, resource_name, resource_type, region_id, region_name, availability_zone], text_hash
FROM resource
UNION ALL
SELECT 3::smallint, 'sku', sku_key,
       ARRAY[service_category, service_subcategory, service_name, sku_id, sku_price_id, sku_meter, sku_price_details, pricing_unit, consumed_unit,
             list_unit_price, contracted_unit_price, pricing_currency], text_hash
FROM sku
UNION ALL
SELECT 4::smallint, 'commitment', commitment_key,
       ARRAY[commitment_discount_id, commitment_discount_name, commitment_discount_category, commitment_discount_type, commitment_discount_unit,
             capacity_reservation_id], text_hash
FROM commitment
UNION ALL
SELECT 5::smallint, 'charge_kind', charge_kind_key,
       ARRAY[charge_category, charge_class, charge_frequency, pricing_category, commitment_discount_status, capacity_reservation_status], text_hash
FROM charge_kind
UNION ALL
SELECT 6::smallint, 'charge_description', charge_description_key, ARRAY[charge_description], text_hash
FROM charge_description
UNION ALL
SELECT 7::smallint, 'tag_set', tag_set_key, ARRAY[tags::text], text_hash
FROM tag_set
UNION ALL
SELECT 8::smallint, 'custom_columns', custom_columns_key, ARRAY[columns::text], text_hash
FROM custom_columns;

-- Each delivery takes one value, and numbers its chunks from there.
CREATE SEQUENCE chunk_number AS bigint INCREMENT BY 1048576;

-- The lines of one billing period in one chunk of a file: one row per chunk and period. The content
-- of the file decides where chunks end (base/text/csv_chunks.h). If a later delivery has the same
-- bytes under the same header, its chunk is this one, and kstar does not read it again.
CREATE TABLE chunk (
    chunk_id       bigint NOT NULL,
    billing_period date NOT NULL,
    source         text NOT NULL,
    -- hash of the bytes and of all that decides how they are read; null: not to be shared
    content_key    bytea,
    line_count     integer NOT NULL, -- physical lines of the whole chunk
    record_count   integer NOT NULL, -- of the whole chunk, too
    last_line      integer NOT NULL, -- line_in_chunk of the period's last row
    row_count      integer NOT NULL,
    -- earliest ChargePeriodStart and latest ChargePeriodEnd of its Usage lines
    covered_from   timestamptz,
    covered_to     timestamptz,
    usage_from      timestamptz,      -- as of load; null: it has no such line
    usage_to        timestamptz,
    -- of the hashes of its lines, modulo 2^128 (ingest/bill/line_sums.h); null: while it is filled
    lines_sum      bytea,
    PRIMARY KEY (chunk_id, billing_period)
);
CREATE INDEX chunk_shareable ON chunk (source, chunk_id) WHERE content_key IS NOT NULL;

-- The sums of a chunk's lines for each invoice. cancelled_cost is money of records that make no
-- line because other records cancel them. Over a load it adds up to 0 in each currency; what
-- remains is among the quarantined rows.
CREATE TABLE chunk_invoice (
    chunk_id       bigint NOT NULL,
    billing_period date NOT NULL,
    invoice_key    bigint NOT NULL,
    billed_cost    numeric NOT NULL,
    effective_cost numeric NOT NULL,
    cancelled_cost numeric NOT NULL,
    PRIMARY KEY (chunk_id, billing_period, invoice_key)
);

-- A chunk's lines of an account in a currency.
CREATE TABLE chunk_content (
    chunk_id         bigint NOT NULL,
    billing_period   date NOT NULL,
    account_key      bigint NOT NULL,  -- 0: none
    billing_currency text NOT NULL,
    money_rows       integer NOT NULL, -- lines with billed or effective cost
    billed_cost      numeric NOT NULL,
    content          numeric NOT NULL, -- sum of the lines' hashes modulo 2^128
    PRIMARY KEY (chunk_id, billing_period, account_key, billing_currency)
);

-- The chunks of a load, for current loads and for loads of closed statements. A chunk may be in a
-- load twice; its lines then count twice.
CREATE TABLE load_chunk (
    -- no foreign key: checking thousands of rows would take longer than storing them
    load_id        integer NOT NULL,
    file_id        integer NOT NULL,
    first_line     bigint NOT NULL,  -- line number of the chunk's first line in that file
    chunk_id       bigint NOT NULL,
    billing_period date NOT NULL,    -- the load's
    PRIMARY KEY (load_id, file_id, first_line)
);
CREATE INDEX load_chunk_chunk ON load_chunk (chunk_id, billing_period);

-- The same sums for a file of a load, with quarantined rows. They are kept for current loads and
-- for loads of closed statements.
CREATE TABLE load_content (
    load_id          integer NOT NULL REFERENCES load ON DELETE CASCADE,
    file_id          integer NOT NULL,
    account_key      bigint NOT NULL,
    billing_currency text NOT NULL, -- '': rows whose currency could not be read
    money_rows       bigint NOT NULL,
    billed_cost      numeric NOT NULL,
    content          numeric NOT NULL,
    PRIMARY KEY (load_id, file_id, account_key, billing_currency)
);

-- The sums of a load by service, account and cost centre, for kstar diff. They are written with the
-- statement of the load, and kept when a later delivery replaces the load.
CREATE TABLE load_summary (
    load_id        integer NOT NULL REFERENCES load ON DELETE CASCADE,
    dimension      text NOT NULL CHECK (dimension IN ('service', 'account', 'cost centre')),
    -- '(none)' where the lines have none; of a cost centre also 'unallocated: reason'
    name           text NOT NULL,
    currency       text NOT NULL, -- billing currency; of cost centres the statement currency
    billed_cost    numeric,       -- null for cost centres: they are charged effective cost
    effective_cost numeric NOT NULL
);
CREATE INDEX load_summary_load ON load_summary (load_id);

-- A line of a bill. Wide columns first: no byte of a row is padding.
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
    -- from 0: its number in a file is load_chunk.first_line + line_in_chunk
    line_in_chunk          integer NOT NULL,
    row_in_record          smallint NOT NULL, -- from 0: a provider's record may make several lines
    billed_cost            numeric NOT NULL,
    effective_cost         numeric NOT NULL,
    list_cost              numeric,
    contracted_cost        numeric,
    consumed_quantity      numeric,
    pricing_quantity       numeric,
    -- hash of the resource's id; without a resource, of the tags, which may name a job; without
    -- tags, of the chunk
    node_hash              bigint NOT NULL
) PARTITION BY LIST (billing_period);

-- Makes the partition of a billing period and returns its name. It runs with the rights of the
-- tables' owner, because the role that loads may not create tables. A table is made and then
-- attached: that takes a lock which readers do not notice, whereas CREATE … PARTITION OF would wait
-- for them. If two sources deliver a new period at the same time, the later one waits for the
-- other's transaction and finds the partition. The partition has no index: a statement reads all
-- lines of a period, and each index would make a load a fifth slower.
CREATE FUNCTION ensure_billing_partition(period date) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = kstar, pg_catalog, pg_temp AS $$
DECLARE
    partition_name text := 'billing_line_' || to_char(period, 'YYYYMMDD');
BEGIN
    IF to_regclass('kstar.' || quote_ident(partition_name)) IS NULL THEN
        LOCK TABLE kstar.billing_line IN SHARE UPDATE EXCLUSIVE MODE;
    END IF;
    IF to_regclass('kstar.' || quote_ident(partition_name)) IS NULL THEN
        EXECUTE format('CREATE TABLE kstar.%I (LIKE kstar.billing_line INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
                       partition_name);
        EXECUTE format('ALTER TABLE kstar.billing_line ATTACH PARTITION kstar.%I FOR VALUES IN (%L)',
                       partition_name, period);
    END IF;
    RETURN partition_name;
END
$$;

-- The chunks of the current loads.
CREATE VIEW current_chunk AS
SELECT load.statement_month, load.source, load.delivery_id, load_id, file_id, first_line, chunk_id, load_chunk.billing_period
FROM current_load
JOIN load USING (load_id)
JOIN load_chunk USING (load_id);

-- The lines of the current loads. If a chunk is in a load twice, its lines are listed twice.
CREATE VIEW current_billing_line AS
SELECT load_id, file_id, first_line + line_in_chunk AS line_number, row_in_record, billing_line.billing_period,
       charge_period_start, charge_period_end, invoice_key, charge_kind_key, account_key, resource_key, sku_key,
       commitment_key, tag_set_key, charge_description_key, custom_columns_key, billed_cost, effective_cost, list_cost,
       contracted_cost, consumed_quantity, pricing_quantity, source, statement_month, delivery_id
FROM current_chunk
JOIN billing_line ON billing_line.chunk_id = current_chunk.chunk_id AND billing_line.billing_period = current_chunk.billing_period;

-- Whether two lines are the same charge, in whatever billing period. `charge` is a hash of account,
-- resource, SKU, charge period and currency. `identity` is a hash of these and of both costs.
-- Names, tags and descriptions are not in it, because providers change them when they restate a
-- bill.
CREATE VIEW line_identity AS
SELECT chunk_id, billing_line.billing_period, line_in_chunk, row_in_record, charge_period_start, charge_period_end, tag_set_key, billed_cost, effective_cost,
       billing_currency, charge, hashtextextended(trim_scale(billed_cost) || ' ' || trim_scale(effective_cost), charge) AS identity
FROM billing_line
JOIN invoice USING (invoice_key)
LEFT JOIN account USING (account_key)
LEFT JOIN resource USING (resource_key)
LEFT JOIN sku USING (sku_key)
CROSS JOIN LATERAL (SELECT hashtextextended(jsonb_build_array(
    lower(billing_account_id), lower(sub_account_id), lower(resource_id), service_name, sku_id, sku_price_id,
    extract(epoch FROM charge_period_start), extract(epoch FROM charge_period_end), billing_currency)::text, 0)) AS hashed (charge);

-- Rows that could not be read. A row whose money and currency are readable is on the statement as
-- 'unallocated: quarantined'. Any other row blocks the close of its month.
CREATE TABLE quarantined_row (
    delivery_id            integer NOT NULL REFERENCES delivery ON DELETE CASCADE,
    file_id                integer NOT NULL,
    line_number            bigint NOT NULL,
    column_name            text,           -- null: the row as a whole
    reason                 text NOT NULL,
    raw                    bytea NOT NULL, -- the row as it stands in the file, at most 64 KiB
    -- bills only: as read, or else the period of the row before it
    billing_period         date,
    invoice_key            bigint,
    billed_cost            numeric,
    effective_cost         numeric,
    billing_currency       text,
    commitment_discount_id text            -- bills only; null: not readable
);
CREATE INDEX quarantined_row_delivery ON quarantined_row (delivery_id, file_id, line_number);

-- The quarantined rows of bills, with their money. A row whose billed cost and invoice are readable
-- (is_read) is on the statement as 'unallocated: quarantined'. An effective cost that is not
-- readable counts as the billed cost. note_kind and note say why the row blocks the close; null: it
-- does not. The file of the row may be one of an earlier delivery.
CREATE VIEW quarantined_money AS
SELECT load_id, load.source, load.statement_month, billing_period, delivery_id, file_id, line_number,
       row_place(label, path, line_number, column_name) AS place, reason, is_read, invoice_key, commitment_discount_id, billing_currency,
       billed_cost, coalesce(effective_cost, billed_cost) AS effective_cost,
       CASE WHEN NOT is_read THEN 'unread money' WHEN effective_cost IS NULL THEN 'effective cost unread' END AS note_kind,
       CASE WHEN is_read AND effective_cost IS NULL THEN reason || ': counted as billed until the file is mended'
            WHEN NOT is_read THEN
                reason || ': without a '
                || CASE WHEN billed_cost IS NULL THEN 'billed cost' WHEN billing_currency IS NULL THEN 'currency' ELSE 'billing period or invoice' END
                || ' the row is not on the statement'
                || coalesce(', nor is its ' || coalesce('billed cost of ' || billed_cost, 'effective cost of ' || effective_cost)
                            || coalesce(' ' || billing_currency, ''), '') END AS note
FROM quarantined_row
JOIN load USING (delivery_id, billing_period)
JOIN delivery USING (delivery_id)
JOIN (SELECT file_id, path FROM source_file) AS file USING (file_id)
CROSS JOIN LATERAL (SELECT billed_cost IS NOT NULL AND invoice_key IS NOT NULL) AS money (is_read);

-- Lines of a delivery that another source has as well, unless somebody accepted that. The lines of
-- an account, in one file or in all files (file_id null), are compared with the lines of the
-- account in the other source, in one file or in all. Lines without money are not reported: nothing
-- is charged twice.
CREATE FUNCTION repeated_content(of_delivery integer)
RETURNS TABLE (billing_period date, account_key bigint, billing_currency text, billed_cost numeric, file_id integer, source text,
               repeated_source text, repeated_delivery integer, repeated_file integer)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH compared AS (
        SELECT load_id, delivery_id, load.source, load.billing_period FROM load WHERE delivery_id = of_delivery
        UNION ALL
        SELECT load_id, delivery_id, load.source, load.billing_period
        FROM load
        JOIN current_load USING (load_id)
        JOIN (SELECT load.source, load.billing_period FROM load WHERE delivery_id = of_delivery) AS incoming
          ON incoming.billing_period = load.billing_period AND incoming.source <> load.source
    ), part AS (
        SELECT compared.delivery_id, compared.source, compared.billing_period, held.account_key, held.billing_currency, held.file_id,
               sum(held.money_rows) AS money_rows, sum(held.billed_cost) AS billed_cost, content_sum(held.content) AS content
        FROM compared
        JOIN load_content AS held USING (load_id)
        GROUP BY compared.delivery_id, compared.source, compared.billing_period, held.account_key, held.billing_currency,
                 GROUPING SETS ((held.file_id), ())
        HAVING sum(held.money_rows) > 0
    )
    SELECT copy.billing_period, copy.account_key, copy.billing_currency, copy.billed_cost, copy.file_id, copy.source,
           original.source, original.delivery_id, original.file_id
    FROM part AS copy
    JOIN part AS original USING (billing_period, account_key, billing_currency, money_rows, content)
    WHERE copy.delivery_id = of_delivery AND original.delivery_id <> of_delivery
      AND NOT EXISTS (SELECT
                      FROM accepted_repeat AS accepted
                      WHERE accepted.account_key = copy.account_key
                        AND (accepted.source, accepted.repeated_source) IN ((copy.source, original.source), (original.source, copy.source)));
END;

-- The latest end of those Usage lines of a load that a job may pay for (docs/allocation.md,
-- Weights): they have a resource or the tag that names a job. Null: there are none. A line of a
-- year that no job can pay for does not count. Lines are read only if some end two days or more
-- after the month; lines that end within a day of it belong to a month in another time zone.
CREATE FUNCTION load_jobs_to(of_load integer) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
    period    date;
    month_end timestamptz;
    load_end  timestamptz;
    tag_key   text;
BEGIN
    SELECT billing_period, statement_month + interval '1 month' INTO period, month_end
    FROM kstar.load
    WHERE load_id = of_load;
    SELECT max(covered_to) INTO load_end
    FROM kstar.load_chunk
    JOIN kstar.chunk USING (chunk_id, billing_period)
    WHERE load_id = of_load;
    IF load_end IS NULL OR load_end <= month_end + interval '2 days' THEN
        RETURN load_end;
    END IF;
    tag_key := coalesce((SELECT value FROM kstar.setting
                         WHERE parameter = 'job_tag_key' AND valid_from < month_end::date AND valid_to >= month_end::date
                         ORDER BY valid_from DESC LIMIT 1), 'job_id');
    RETURN (
        SELECT max(charge_period_end)
        FROM kstar.load_chunk
        JOIN kstar.billing_line USING (chunk_id, billing_period)
        JOIN kstar.charge_kind USING (charge_kind_key)
        LEFT JOIN kstar.resource USING (resource_key)
        LEFT JOIN kstar.tag_set USING (tag_set_key)
        WHERE load_id = of_load AND billing_period = period
          AND charge_category = 'Usage' AND commitment_discount_status IS DISTINCT FROM 'Unused'
          AND (resource_id IS NOT NULL OR tags ? tag_key)
    );
END
$$;
