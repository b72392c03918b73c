-- The journal is worked out from the log when it is asked for. Its rows go; the security policies, which let even the
-- owner see none, are lifted for that, within this transaction.
ALTER TABLE studbook.view_rows NO FORCE ROW LEVEL SECURITY;
ALTER TABLE studbook.view_progress NO FORCE ROW LEVEL SECURITY;
DELETE FROM studbook.view_rows WHERE model = 'journal';
DELETE FROM studbook.view_progress WHERE model = 'journal';
ALTER TABLE studbook.view_rows FORCE ROW LEVEL SECURITY;
ALTER TABLE studbook.view_progress FORCE ROW LEVEL SECURITY;
