-- The hash before each of an operator's own events, which stands in its evidence packs; the event before may be another
-- operator's, which the request login does not see. The function runs as a role that nobody can log in as and that reads
-- three columns: it gives the hashes of the operator set for the transaction, and none for a position that is not its.
GRANT CREATE, USAGE ON SCHEMA studbook TO studbook_chain;
GRANT SELECT (notification_id, operator, hash) ON studbook.stored_events TO studbook_chain;
GRANT EXECUTE ON FUNCTION studbook.current_operator() TO studbook_chain;
CREATE POLICY chain_reads ON studbook.stored_events FOR SELECT TO studbook_chain USING (true);

CREATE FUNCTION studbook.hashes_before(wanted bigint[]) RETURNS TABLE (event bigint, hash_before bytea)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT own.notification_id, other.hash FROM studbook.stored_events own
    JOIN studbook.stored_events other ON other.notification_id = own.notification_id - 1
    WHERE own.notification_id = ANY (wanted) AND own.operator = studbook.current_operator()
$$;
REVOKE ALL ON FUNCTION studbook.hashes_before(bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION studbook.hashes_before(bigint[]) TO studbook_request;
ALTER FUNCTION studbook.hashes_before(bigint[]) OWNER TO studbook_chain;
REVOKE CREATE ON SCHEMA studbook FROM studbook_chain;
