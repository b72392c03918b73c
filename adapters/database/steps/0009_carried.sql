-- The newest closing entry of a stream, where the writer begins to read it, is one step in this index.
CREATE INDEX stored_events_carried ON studbook.stored_events (originator_id, originator_version)
    WHERE topic IN ('wallet.carried.v1', 'player.carried.v1', 'table.carried.v1', 'jackpot.carried.v1');
