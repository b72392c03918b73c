-- The five logins, a role without login and the database, made once by a superuser of PostgreSQL 15 or newer; safe to run again.
-- The passwords come from the environment of psql:
--   psql --dbname postgres --file deploy/database/roles.sql
-- A login that is there keeps its password, so who runs it again needs none.

\set ON_ERROR_STOP on
\set owner ''
\set writer ''
\set projector ''
\set request ''
\set backup ''
\getenv owner STUDBOOK_OWNER_PASSWORD
\getenv writer STUDBOOK_WRITER_PASSWORD
\getenv projector STUDBOOK_PROJECTOR_PASSWORD
\getenv request STUDBOOK_REQUEST_PASSWORD
\getenv backup STUDBOOK_BACKUP_PASSWORD

SET password_encryption = 'scram-sha-256';
SET log_statement = 'none';

-- Otherwise the login would be made, and nobody could ever log in as it.
SELECT format('DO $do$ BEGIN RAISE %L; END $do$', format('give the new login %s a password: set STUDBOOK_%s_PASSWORD',
              'studbook_' || part, upper(part)))
  FROM (VALUES ('owner', :'owner'), ('writer', :'writer'), ('projector', :'projector'), ('request', :'request'),
               ('backup', :'backup')) AS given (part, password)
 WHERE password = '' AND NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'studbook_' || part)
\gexec

SELECT format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOINHERIT %s PASSWORD %L',
              login, attribute, password)
  FROM (VALUES ('studbook_owner', 'NOBYPASSRLS', :'owner'),
               ('studbook_writer', 'NOBYPASSRLS', :'writer'),
               ('studbook_projector', 'NOBYPASSRLS', :'projector'),
               ('studbook_request', 'NOBYPASSRLS', :'request'),
               ('studbook_backup', 'BYPASSRLS', :'backup')) AS wanted (login, attribute, password)
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = login)
\gexec

-- Nobody can log in as this one: it owns the function that gives a request hashes of the chain. `studbook migrate`, which
-- runs as the owner, hands the function over to it.
SELECT 'CREATE ROLE studbook_chain NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOINHERIT NOBYPASSRLS'
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'studbook_chain')
\gexec
SELECT 'GRANT studbook_chain TO studbook_owner' WHERE NOT pg_has_role('studbook_owner', 'studbook_chain', 'MEMBER')
\gexec

SELECT 'CREATE DATABASE studbook OWNER studbook_owner TEMPLATE template0 ENCODING ''UTF8'''
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'studbook')
\gexec

REVOKE ALL ON DATABASE studbook FROM PUBLIC;
GRANT CONNECT ON DATABASE studbook
   TO studbook_owner, studbook_writer, studbook_projector, studbook_request, studbook_backup;
