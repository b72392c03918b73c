-- Endpoints that an operator's events are pushed to. The request login keeps its own operator's; the deliverer, which
-- runs under the projector's login, notes how far each is. `run` counts the changes that the operator made: what a
-- deliverer found out under an earlier one is not written any more.
CREATE TABLE studbook.webhooks (
    operator text COLLATE "C" NOT NULL CHECK (operator <> ''),
    webhook text COLLATE "C" NOT NULL CHECK (webhook <> ''),
    url text NOT NULL,
    types text[] NOT NULL CHECK (cardinality(types) BETWEEN 1 AND 50),
    active boolean NOT NULL,
    run bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    position bigint NOT NULL CHECK (position >= 0),
    failures integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    next_at timestamptz,
    disabled_at timestamptz,
    disabled_reason text,
    PRIMARY KEY (operator, webhook)
) WITH (fillfactor = 50);
-- Secrets are sealed with the key of sealed cards, and the login that made them cannot read them back.
CREATE TABLE studbook.webhook_secrets (
    operator text COLLATE "C" NOT NULL,
    webhook text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    sealed text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    PRIMARY KEY (operator, webhook, number),
    FOREIGN KEY (operator, webhook) REFERENCES studbook.webhooks ON DELETE CASCADE
);
-- What was sent, each try; kept for some days.
CREATE TABLE studbook.webhook_deliveries (
    operator text COLLATE "C" NOT NULL,
    webhook text COLLATE "C" NOT NULL,
    delivery bigint GENERATED ALWAYS AS IDENTITY,
    message text NOT NULL,
    position bigint,
    type text NOT NULL,
    attempt integer NOT NULL,
    at timestamptz NOT NULL,
    milliseconds integer NOT NULL,
    status integer,
    delivered boolean NOT NULL,
    detail text NOT NULL,
    PRIMARY KEY (operator, webhook, delivery),
    FOREIGN KEY (operator, webhook) REFERENCES studbook.webhooks ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_at ON studbook.webhook_deliveries (at);
-- What an operator asked to be sent beside the order: a ping, or one event again.
CREATE TABLE studbook.webhook_orders (
    operator text COLLATE "C" NOT NULL,
    webhook text COLLATE "C" NOT NULL,
    message text NOT NULL,
    position bigint,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (operator, webhook, message),
    FOREIGN KEY (operator, webhook) REFERENCES studbook.webhooks ON DELETE CASCADE
);
-- Figures of the deliverer, one row, for /metrics of every serving process; they name no operator.
CREATE TABLE studbook.webhook_figures (
    is_only boolean PRIMARY KEY CHECK (is_only),
    at timestamptz NOT NULL,
    active integer NOT NULL,
    failing integer NOT NULL,
    disabled integer NOT NULL,
    backlog bigint NOT NULL,
    delivered bigint NOT NULL,
    failed bigint NOT NULL
) WITH (fillfactor = 50);

ALTER TABLE studbook.webhooks ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE studbook.webhook_secrets ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE studbook.webhook_deliveries ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE studbook.webhook_orders ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE studbook.webhook_figures ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

CREATE POLICY request_own ON studbook.webhooks TO studbook_request
    USING (operator = studbook.current_operator()) WITH CHECK (operator = studbook.current_operator());
CREATE POLICY request_own ON studbook.webhook_secrets TO studbook_request
    USING (operator = studbook.current_operator()) WITH CHECK (operator = studbook.current_operator());
CREATE POLICY request_reads_own ON studbook.webhook_deliveries FOR SELECT TO studbook_request
    USING (operator = studbook.current_operator());
CREATE POLICY request_own ON studbook.webhook_orders TO studbook_request
    USING (operator = studbook.current_operator()) WITH CHECK (operator = studbook.current_operator());
CREATE POLICY request_reads ON studbook.webhook_figures FOR SELECT TO studbook_request USING (true);
CREATE POLICY projector_all ON studbook.webhooks TO studbook_projector USING (true) WITH CHECK (true);
CREATE POLICY projector_reads ON studbook.webhook_secrets FOR SELECT TO studbook_projector USING (true);
CREATE POLICY projector_all ON studbook.webhook_deliveries TO studbook_projector USING (true) WITH CHECK (true);
CREATE POLICY projector_all ON studbook.webhook_orders TO studbook_projector USING (true);
CREATE POLICY projector_all ON studbook.webhook_figures TO studbook_projector USING (true) WITH CHECK (true);

GRANT SELECT, INSERT, UPDATE, DELETE ON studbook.webhooks TO studbook_request;
GRANT SELECT (operator, webhook, number, created_at, expires_at), INSERT, UPDATE (expires_at)
    ON studbook.webhook_secrets TO studbook_request;
GRANT SELECT ON studbook.webhook_deliveries, studbook.webhook_figures TO studbook_request;
GRANT SELECT, INSERT ON studbook.webhook_orders TO studbook_request;
GRANT SELECT, UPDATE (position, failures, failing_since, next_at, disabled_at, disabled_reason)
    ON studbook.webhooks TO studbook_projector;
GRANT SELECT ON studbook.webhook_secrets TO studbook_projector;
GRANT SELECT, INSERT, DELETE ON studbook.webhook_deliveries TO studbook_projector;
GRANT SELECT, DELETE ON studbook.webhook_orders TO studbook_projector;
GRANT SELECT, INSERT, UPDATE ON studbook.webhook_figures TO studbook_projector;
-- A dump holds the counter's place too.
GRANT SELECT ON SEQUENCE studbook.webhook_deliveries_delivery_seq TO studbook_backup;
