-- The library's insert path assigns ids from a sequence, out of commit order; ours assigns them under a lock.
DROP FUNCTION IF EXISTS studbook.es_insert_events_text;
ALTER TABLE studbook.stored_events ALTER COLUMN notification_id DROP DEFAULT;
DROP SEQUENCE IF EXISTS studbook.stored_events_notification_id_seq;

ALTER TABLE studbook.stored_events
    ALTER COLUMN originator_id TYPE text COLLATE "C",
    ALTER COLUMN topic SET NOT NULL,
    ALTER COLUMN state SET NOT NULL,
    ADD COLUMN operator text COLLATE "C" NOT NULL GENERATED ALWAYS AS (split_part(originator_id, '/', 1)) STORED,
    ADD COLUMN operator_seq bigint NOT NULL,
    ADD COLUMN hash bytea NOT NULL,
    ADD CONSTRAINT version_counts_from_one CHECK (originator_version > 0),
    ADD CONSTRAINT position_counts_from_one CHECK (notification_id > 0),
    ADD CONSTRAINT sequence_counts_from_one CHECK (operator_seq > 0),
    ADD CONSTRAINT operator_is_named CHECK (operator <> ''),
    ADD CONSTRAINT hash_is_sha256 CHECK (octet_length(hash) = 32);
CREATE UNIQUE INDEX stored_events_operator_seq ON studbook.stored_events (operator, operator_seq);

-- The operator of this transaction; NULL, which equals nothing, when none is set.
CREATE FUNCTION studbook.current_operator() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('studbook.operator', true), '');
GRANT EXECUTE ON FUNCTION studbook.current_operator() TO studbook_request;

CREATE FUNCTION studbook.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of %: rows there are only ever added', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
-- For each statement: a row trigger stays silent where row-level security shows no row.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON studbook.stored_events
    FOR EACH STATEMENT EXECUTE FUNCTION studbook.refuse_change();

ALTER TABLE studbook.stored_events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY writer_reads ON studbook.stored_events FOR SELECT TO studbook_writer USING (true);
CREATE POLICY writer_adds ON studbook.stored_events FOR INSERT TO studbook_writer WITH CHECK (true);
CREATE POLICY projector_reads ON studbook.stored_events FOR SELECT TO studbook_projector USING (true);
CREATE POLICY request_reads_own ON studbook.stored_events FOR SELECT TO studbook_request
    USING (operator = studbook.current_operator());
GRANT SELECT, INSERT ON studbook.stored_events TO studbook_writer;
GRANT SELECT ON studbook.stored_events TO studbook_projector, studbook_request, studbook_backup;
