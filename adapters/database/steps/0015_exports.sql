-- Exports that an operator asked for, and their files in chunks; both go when their time is over. The request login asks
-- and reads, the exporter, which runs under the projector's login, works. `hurry`: somebody waits for a report.
CREATE TABLE studbook.exports (
    operator text COLLATE "C" NOT NULL CHECK (operator <> ''),
    export text COLLATE "C" NOT NULL CHECK (export <> ''),
    kind text COLLATE "C" NOT NULL,
    format text COLLATE "C" NOT NULL,
    wish text NOT NULL,
    subject text NOT NULL,
    hurry boolean NOT NULL,
    asked_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    position bigint NOT NULL CHECK (position >= 0),
    status text COLLATE "C" NOT NULL DEFAULT 'WAITING' CHECK (status IN ('WAITING', 'RUNNING', 'DONE', 'FAILED')),
    attempts integer NOT NULL DEFAULT 0,
    events_read bigint NOT NULL DEFAULT 0,
    events bigint NOT NULL DEFAULT 0,
    finished_at timestamptz,
    failure text,
    manifest text,
    PRIMARY KEY (operator, export)
) WITH (fillfactor = 50);
CREATE INDEX exports_open ON studbook.exports (hurry DESC, asked_at) WHERE status IN ('WAITING', 'RUNNING');
CREATE INDEX exports_expires_at ON studbook.exports (expires_at);
CREATE TABLE studbook.export_chunks (
    operator text COLLATE "C" NOT NULL,
    export text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (operator, export, number),
    FOREIGN KEY (operator, export) REFERENCES studbook.exports ON DELETE CASCADE
);
-- They are compressed already, or read once.
ALTER TABLE studbook.export_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
-- Figures of the exporter, one row, for /metrics of every serving process; they name no operator.
CREATE TABLE studbook.export_figures (
    is_only boolean PRIMARY KEY CHECK (is_only),
    at timestamptz NOT NULL,
    waiting integer NOT NULL,
    done bigint NOT NULL,
    failed bigint NOT NULL
) WITH (fillfactor = 50);

ALTER TABLE studbook.exports ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE studbook.export_chunks ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE studbook.export_figures ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

CREATE POLICY request_own ON studbook.exports TO studbook_request
    USING (operator = studbook.current_operator()) WITH CHECK (operator = studbook.current_operator());
CREATE POLICY request_reads_own ON studbook.export_chunks FOR SELECT TO studbook_request
    USING (operator = studbook.current_operator());
CREATE POLICY request_reads ON studbook.export_figures FOR SELECT TO studbook_request USING (true);
CREATE POLICY projector_all ON studbook.exports TO studbook_projector USING (true) WITH CHECK (true);
CREATE POLICY projector_all ON studbook.export_chunks TO studbook_projector USING (true) WITH CHECK (true);
CREATE POLICY projector_all ON studbook.export_figures TO studbook_projector USING (true) WITH CHECK (true);

GRANT SELECT, INSERT (operator, export, kind, format, wish, subject, hurry, asked_at, expires_at, position)
    ON studbook.exports TO studbook_request;
GRANT SELECT ON studbook.export_chunks, studbook.export_figures TO studbook_request;
GRANT SELECT, UPDATE (status, attempts, events_read, events, position, finished_at, failure, manifest), DELETE
    ON studbook.exports TO studbook_projector;
GRANT SELECT, INSERT, DELETE ON studbook.export_chunks TO studbook_projector;
GRANT SELECT, INSERT, UPDATE ON studbook.export_figures TO studbook_projector;
