CREATE SCHEMA IF NOT EXISTS studbook;
REVOKE ALL ON SCHEMA studbook FROM PUBLIC;
GRANT USAGE ON SCHEMA studbook TO studbook_writer, studbook_projector, studbook_request, studbook_backup;
ALTER DEFAULT PRIVILEGES IN SCHEMA studbook GRANT SELECT ON TABLES TO studbook_backup;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

CREATE TABLE studbook.studbook_schema (
    step integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE studbook.studbook_schema ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON studbook.studbook_schema TO studbook_owner USING (true) WITH CHECK (true);
CREATE POLICY service_reads ON studbook.studbook_schema FOR SELECT
    TO studbook_writer, studbook_projector, studbook_request USING (true);
GRANT SELECT ON studbook.studbook_schema TO studbook_writer, studbook_projector, studbook_request;
