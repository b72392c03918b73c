-- Events that an operator has let a read model pass over, with who, when and why. Never changed and never removed:
-- a rebuild passes over the same events, so that a rebuilt model equals the live one.
CREATE TABLE studbook.view_skips (
    model text COLLATE "C" NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    decided_by text NOT NULL CHECK (decided_by <> ''),
    reason text NOT NULL CHECK (reason <> ''),
    fault text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (model, position)
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON studbook.view_skips
    FOR EACH STATEMENT EXECUTE FUNCTION studbook.refuse_change();
ALTER TABLE studbook.view_skips ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY projector_reads ON studbook.view_skips FOR SELECT TO studbook_projector USING (true);
CREATE POLICY projector_adds ON studbook.view_skips FOR INSERT TO studbook_projector WITH CHECK (true);
CREATE POLICY request_reads ON studbook.view_skips FOR SELECT TO studbook_request USING (true);
GRANT SELECT, INSERT ON studbook.view_skips TO studbook_projector;
GRANT SELECT ON studbook.view_skips TO studbook_request;
