-- A player's part in a round is stored once, in the histories, where the seats of a round are one group in the order of
-- the players. Its bytes stay as they are, so the rows move to their new places and nothing is folded anew.
-- A projector of the older program would go on at the old places: it has to be ended first.
DO $$
BEGIN
    IF NOT pg_try_advisory_xact_lock(6004517953737850883) THEN
        RAISE EXCEPTION 'a service of the older version works on this database: end it first';
    END IF;
END $$;
-- The owner of the tables is held by their policies too, which give it no rows.
ALTER TABLE studbook.view_rows NO FORCE ROW LEVEL SECURITY;
DELETE FROM studbook.view_rows WHERE model = 'rounds' AND grp LIKE 'seat/%';
UPDATE studbook.view_rows SET grp = 'seat/' || key, key = substr(grp, 7)
    WHERE model = 'histories' AND grp LIKE 'round/%';
ALTER TABLE studbook.view_rows FORCE ROW LEVEL SECURITY;
