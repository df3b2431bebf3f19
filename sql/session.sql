-- Settings that every session of kstar relies on, whatever the server's or the role's defaults are.
SET TIME ZONE 'UTC';
SET datestyle = 'ISO, YMD';
SET intervalstyle = 'iso_8601';
SET bytea_output = 'hex';
SET client_encoding = 'UTF8';
SET extra_float_digits = 1;
SET standard_conforming_strings = on;
SET client_min_messages = warning;
SET search_path = kstar, pg_catalog;
-- Readers, and the statement while they read, wait in their transactions; the ledger of runs waits
-- without one.
SET idle_in_transaction_session_timeout = 0;
SET idle_session_timeout = 0;
-- Many middling statements: compiling each costs more than it saves.
SET jit = off;
-- A large table is read from its first row, also while another session reads it.
SET synchronize_seqscans = off;
-- When kstar is killed its server process gives up within a second, and with it its locks.
SET client_connection_check_interval = '1s';
