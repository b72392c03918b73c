-- The answer of work that took several appends is kept when it is first made, beside the record of the call's own key.
ALTER TABLE studbook.idempotency
    DROP CONSTRAINT idempotency_scope_check,
    ADD CONSTRAINT idempotency_scope_check CHECK (scope IN ('key', 'transaction', 'answer'));
