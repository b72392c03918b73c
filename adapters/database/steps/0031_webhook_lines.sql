-- A change of a webhook and the line that tells of it are one transaction, so the login that makes the change adds the
-- line: of its own operator, and of no other kind.
CREATE POLICY request_tells_of_webhooks ON studbook.access_log FOR INSERT TO studbook_request
    WITH CHECK (operator = studbook.current_operator() AND kind ~ '^WEBHOOK_');
GRANT INSERT (at, operator, kind, times, subject, key_id, address, method, route, status, request_id, detail)
    ON studbook.access_log TO studbook_request;
