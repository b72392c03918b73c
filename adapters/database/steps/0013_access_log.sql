-- Who came to the door: failed logins, denials, use and changes of keys. Rows are added by the writer's login, never
-- changed, and removed once they are 400 days old; nobody may remove one sooner. What names no operator (a key that
-- nobody knows) belongs to the installation: no request reads it.
CREATE TABLE studbook.access_log (
    entry bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    operator text COLLATE "C",
    kind text COLLATE "C" NOT NULL CHECK (kind ~ '^[A-Z_]{3,32}$'),
    times bigint NOT NULL DEFAULT 1 CHECK (times > 0),
    subject text,
    key_id text COLLATE "C",
    address text,
    method text,
    route text,
    status integer,
    request_id text,
    detail text NOT NULL DEFAULT ''
);
CREATE INDEX access_log_operator ON studbook.access_log (operator, entry);
CREATE INDEX access_log_at ON studbook.access_log (at);
CREATE TRIGGER never_changed BEFORE UPDATE OR TRUNCATE ON studbook.access_log
    FOR EACH STATEMENT EXECUTE FUNCTION studbook.refuse_change();

ALTER TABLE studbook.access_log ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY writer_adds ON studbook.access_log FOR INSERT TO studbook_writer WITH CHECK (true);
CREATE POLICY request_reads_own ON studbook.access_log FOR SELECT TO studbook_request
    USING (operator = studbook.current_operator());
CREATE POLICY projector_reads ON studbook.access_log FOR SELECT TO studbook_projector USING (true);
CREATE POLICY projector_forgets ON studbook.access_log FOR DELETE TO studbook_projector
    USING (at <= now() - interval '9600 hours');
GRANT INSERT ON studbook.access_log TO studbook_writer;
-- A dump holds the counter's place too.
GRANT SELECT ON SEQUENCE studbook.access_log_entry_seq TO studbook_backup;
GRANT SELECT ON studbook.access_log TO studbook_request;
GRANT SELECT, DELETE ON studbook.access_log TO studbook_projector;
