-- One row for each key or transaction id that an accepted command used, written with its events.
-- body NULL: the answer is derived from the events once the work that the command began has ended.
CREATE TABLE studbook.idempotency (
    operator text COLLATE "C" NOT NULL CHECK (operator <> ''),
    scope text COLLATE "C" NOT NULL CHECK (scope IN ('key', 'transaction')),
    key text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    status integer NOT NULL,
    body bytea,
    position bigint NOT NULL,
    PRIMARY KEY (operator, scope, key)
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON studbook.idempotency
    FOR EACH STATEMENT EXECUTE FUNCTION studbook.refuse_change();
ALTER TABLE studbook.idempotency ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY writer_reads ON studbook.idempotency FOR SELECT TO studbook_writer USING (true);
CREATE POLICY writer_adds ON studbook.idempotency FOR INSERT TO studbook_writer WITH CHECK (true);
GRANT SELECT, INSERT ON studbook.idempotency TO studbook_writer;
