-- The life of a key: what it is called, who made it and for which older one, and whether its requests must be signed.
-- signing_key names the service's key from which the signing secret is derived; the secret itself is stored nowhere.
ALTER TABLE studbook.api_keys
    ADD COLUMN label text NOT NULL DEFAULT '' CHECK (char_length(label) <= 100),
    ADD COLUMN signing_key text,
    ADD COLUMN made_by text,
    ADD COLUMN replaces text COLLATE "C";
-- An operator's own keys may be listed, never their hashes.
CREATE POLICY request_reads_own ON studbook.api_keys FOR SELECT TO studbook_request
    USING (operator = studbook.current_operator());
GRANT SELECT (key_id, operator, subject, roles, created_at, revoked_at, label, signing_key, made_by, replaces)
    ON studbook.api_keys TO studbook_request;
