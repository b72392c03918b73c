CREATE TABLE studbook.operators (
    operator text COLLATE "C" PRIMARY KEY CHECK (operator <> '' AND strpos(operator, '/') = 0),
    four_eyes text NOT NULL DEFAULT 'strict' CHECK (four_eyes IN ('named', 'strict')),
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE studbook.api_keys (
    key_id text COLLATE "C" PRIMARY KEY,
    operator text COLLATE "C" NOT NULL,
    subject text NOT NULL,
    roles text[] NOT NULL,
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz
);
CREATE INDEX api_keys_operator ON studbook.api_keys (operator);

ALTER TABLE studbook.operators ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE studbook.api_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY writer_all ON studbook.operators TO studbook_writer USING (true) WITH CHECK (true);
CREATE POLICY writer_all ON studbook.api_keys TO studbook_writer USING (true) WITH CHECK (true);
CREATE POLICY projector_reads ON studbook.operators FOR SELECT TO studbook_projector USING (true);
CREATE POLICY request_reads_own ON studbook.operators FOR SELECT TO studbook_request
    USING (operator = studbook.current_operator());
-- Only for find_key, which runs as the owner: under forced security the owner too needs a policy.
CREATE POLICY find_key_reads ON studbook.api_keys FOR SELECT TO studbook_owner USING (true);
GRANT SELECT, INSERT, UPDATE (four_eyes) ON studbook.operators TO studbook_writer;
GRANT SELECT, INSERT, UPDATE (revoked_at) ON studbook.api_keys TO studbook_writer;
GRANT SELECT ON studbook.operators TO studbook_projector, studbook_request;

-- One key by its id, before the operator is known: the request login cannot list keys or operators.
CREATE FUNCTION studbook.find_key(wanted text) RETURNS SETOF studbook.api_keys
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = studbook, pg_temp
    AS 'SELECT * FROM studbook.api_keys WHERE key_id = wanted';
REVOKE ALL ON FUNCTION studbook.find_key(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION studbook.find_key(text) TO studbook_request, studbook_writer;
