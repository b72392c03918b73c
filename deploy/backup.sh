#!/bin/sh
# Dumps the database with the backup login, reads the dump back, and removes dumps older than DAYS.
# Usage: backup.sh FOLDER DAYS, with PGHOST, PGPORT and PGPASSWORD in the environment.
# DAYS stays below 90: what players write in the chat must be gone by then, from dumps too.
set -eu

folder=$1 days=$2
export PGUSER="${PGUSER:-studbook_backup}" PGDATABASE="${PGDATABASE:-studbook}"

if [ "$days" -ge 90 ]; then
    echo "backup: keep dumps for less than 90 days: chat texts must be gone by then" >&2
    exit 2
fi

file="$folder/studbook-$(date -u +%Y%m%dT%H%M%SZ).dump"
trap 'rm -f "$file.part"' EXIT
pg_dump --format=custom --compress=6 --no-password --file="$file.part"
pg_restore --list "$file.part" >/dev/null
sync "$file.part"
mv "$file.part" "$file"
find "$folder" -name 'studbook-*.dump' -type f -mtime "+$days" -exec rm -f {} +
echo "backup: $file, $(wc -c <"$file" | tr -d ' ') bytes"
