#!/bin/sh
# Makes a virtual environment with the locked packages and the `studbook` command in it.
# Usage: setup-venv.sh PYTHON VENV REQUIREMENTS, from the root of the checkout. Prints only what a person needs.
set -eu

python=$1 venv=$2 requirements=$3

fail() {
    printf 'setup: %s\n' "$@" >&2
    exit 1
}

command -v "$python" >/dev/null 2>&1 ||
    fail "there is no '$python' here. studbook needs Python 3.11 or newer." \
        "Install it, or name one that is here: make setup PYTHON=/path/to/python3"

version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) ||
    fail "'$python' does not start. Name another one: make setup PYTHON=/path/to/python3"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "'$python' is Python $version, studbook needs 3.11 or newer." \
        "If a newer one is here, name it: make setup PYTHON=python3.12"

if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    echo "setup: making $venv with Python $version"
    rm -rf "$venv"
    "$python" -m venv "$venv" >/dev/null 2>&1 || {
        rm -rf "$venv"
        fail "'$python -m venv' failed. On Debian and Ubuntu the module is a package of its own:" \
            "apt-get install python3-venv (or python$version-venv), then run make again."
    }
fi

# pip's remarks on the machine's own configuration are no concern of a newcomer: they are shown when it fails.
pip_install() {
    "$venv/bin/python" -m pip --quiet --disable-pip-version-check --no-input install --root-user-action=ignore "$@" \
        >"$venv/setup.log" 2>&1 || {
        cat "$venv/setup.log" >&2
        return 1
    }
}

echo "setup: installing the packages of $requirements (the first time this takes a minute)"
pip_install --require-hashes --only-binary=:all: --requirement "$requirements" ||
    fail "the packages could not be installed, see above." \
        "Ready-made packages are locked for Linux (x86-64, ARM) and Macs with Apple silicon, Python 3.11 to 3.14."
pip_install --no-deps --no-build-isolation --no-index --editable . ||
    fail "studbook itself could not be installed, see above."
echo "setup: done, $venv/bin/studbook is ready"
