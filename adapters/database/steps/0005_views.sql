-- Read models: folds of the events, rebuilt at will, so their shape is opaque here and needs no further step.
CREATE TABLE studbook.view_rows (
    model text COLLATE "C" NOT NULL,
    generation integer NOT NULL,
    operator text COLLATE "C" NOT NULL,
    grp text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (model, generation, operator, grp, key)
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
CREATE TABLE studbook.view_progress (
    model text COLLATE "C" NOT NULL,
    generation integer NOT NULL,
    position bigint NOT NULL CHECK (position >= 0),
    live boolean NOT NULL,
    stopped_reason text,
    PRIMARY KEY (model, generation)
) WITH (fillfactor = 50);

ALTER TABLE studbook.view_rows ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE studbook.view_progress ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY projector_all ON studbook.view_rows TO studbook_projector USING (true) WITH CHECK (true);
CREATE POLICY projector_all ON studbook.view_progress TO studbook_projector USING (true) WITH CHECK (true);
CREATE POLICY request_reads_own ON studbook.view_rows FOR SELECT TO studbook_request
    USING (operator = studbook.current_operator());
CREATE POLICY request_reads ON studbook.view_progress FOR SELECT TO studbook_request USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON studbook.view_rows, studbook.view_progress TO studbook_projector;
GRANT SELECT ON studbook.view_rows, studbook.view_progress TO studbook_request;
