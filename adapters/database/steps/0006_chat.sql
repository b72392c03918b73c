-- Texts of chat messages: personal data with an end, so they lie outside the log, whose events hold their seals only.
-- They are written with their events, never changed, and removed once they are 90 days old; nobody may remove one sooner.
CREATE TABLE studbook.chat_texts (
    operator text COLLATE "C" NOT NULL CHECK (operator <> ''),
    message text COLLATE "C" NOT NULL,
    text text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 500),
    salt text COLLATE "C" NOT NULL CHECK (char_length(salt) >= 32),
    posted_at timestamptz NOT NULL,
    PRIMARY KEY (operator, message)
);
CREATE INDEX chat_texts_posted_at ON studbook.chat_texts (posted_at);
CREATE TRIGGER never_changed BEFORE UPDATE OR TRUNCATE ON studbook.chat_texts
    FOR EACH STATEMENT EXECUTE FUNCTION studbook.refuse_change();

ALTER TABLE studbook.chat_texts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY writer_adds ON studbook.chat_texts FOR INSERT TO studbook_writer WITH CHECK (true);
CREATE POLICY request_reads_own ON studbook.chat_texts FOR SELECT TO studbook_request
    USING (operator = studbook.current_operator());
-- The projector's login sees how old texts are, not what they say.
CREATE POLICY projector_sees ON studbook.chat_texts FOR SELECT TO studbook_projector USING (true);
CREATE POLICY projector_forgets ON studbook.chat_texts FOR DELETE TO studbook_projector
    USING (posted_at <= now() - interval '2160 hours');
GRANT INSERT ON studbook.chat_texts TO studbook_writer;
GRANT SELECT ON studbook.chat_texts TO studbook_request;
GRANT SELECT (operator, message, posted_at), DELETE ON studbook.chat_texts TO studbook_projector;
