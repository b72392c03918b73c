# studbook: `make help` lists the targets. PYTHON chooses the interpreter of a new .venv, for example
# `make setup PYTHON=python3.12`.

PYTHON  ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
READY   := $(VENV)/.ready
WORKERS ?= 2
TESTS   ?= tests
MINUTES ?= 60
COUNT   ?= 1000000
UV      ?= $(firstword $(wildcard $(BIN)/uv) uv)
CODE    := domain services adapters api tests
HOUSE   := $(addprefix tests/house/test_,sizes.py imports.py ignores.py paths.py)

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.PHONY: help setup run test check faults soak fairness bench demo lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

setup: $(READY) ## make .venv from the hashed lock (Python 3.11 or newer; done once)
	@:

$(READY): pyproject.toml requirements/dev.txt deploy/setup-venv.sh
	@sh deploy/setup-venv.sh "$(PYTHON)" $(VENV) requirements/dev.txt
	@touch $@

run: $(READY) ## start the service: prints its address, a key and three calls to paste
	@$(BIN)/studbook serve

test: $(READY) ## run every test (WORKERS=2, TESTS=tests/domain for a part)
	@$(BIN)/pytest -n $(WORKERS) $(TESTS)

check: $(READY) ## lint, format, types, imports, sizes; side by side
	@failed=$$(mktemp); \
	step() { name=$$1; shift; \
	  if out=$$("$$@" 2>&1); then echo "ok      $$name"; \
	  else echo "$$name" >> "$$failed"; printf 'FAILED  %s: %s\n%s\n' "$$name" "$$*" "$$out"; fi; }; \
	step types    $(BIN)/mypy --no-error-summary & \
	step lint     $(BIN)/ruff check --quiet $(CODE) & \
	step format   $(BIN)/ruff format --check --diff --quiet $(CODE) & \
	step imports  $(BIN)/lint-imports --no-logo & \
	step house    $(BIN)/pytest $(HOUSE) & \
	wait; \
	if test -s "$$failed"; then rm -f "$$failed"; exit 1; fi; rm -f "$$failed"

faults: $(READY) ## kill, cut, fill and repeat: every fault in its small amount (about 14 minutes; ONLY=F01,F02)
	@$(BIN)/python -m tests.faults --amount small $(if $(ONLY),--only $(ONLY))

soak: $(READY) ## the same in long amounts, again and again with new seeds (MINUTES=60, ONLY=F01,F02)
	@$(BIN)/python -m tests.faults --amount long --minutes $(MINUTES) $(if $(ONLY),--only $(ONLY))

fairness: $(READY) ## shuffle a million decks and judge the counts; a picture in fairness.svg (COUNT=1000000)
	@$(BIN)/studbook fairness --count $(COUNT) --processes $(WORKERS) --plot fairness.svg

bench: $(READY) ## measure beside an empty endpoint, pgbench and the library (12 minutes, alone on two cores)
	@$(BIN)/studbook bench --save docs/performance/bench.json --plot docs/performance/bench.svg
	@$(BIN)/studbook bench --page docs/performance/bench.json

demo: $(READY) ## play a few hundred rounds of all four games and report
	@$(BIN)/studbook demo

# uv is needed here only. UPGRADE=--upgrade takes the newest releases, else existing pins stay.
COMPILE = UV_CUSTOM_COMPILE_COMMAND="make lock" $(UV) pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links $(UPGRADE)

lock: ## write requirements/*.txt from pyproject.toml (needs uv; UPGRADE=--upgrade for newest)
	@command -v $(UV) >/dev/null || { echo "make lock needs uv: python3 -m pip install uv"; exit 1; }
	@mkdir -p requirements
	@$(COMPILE) pyproject.toml -o requirements/runtime.txt
	@$(COMPILE) pyproject.toml --extra otel -c requirements/runtime.txt -o requirements/otel.txt
	@$(COMPILE) pyproject.toml --extra parquet -c requirements/runtime.txt -o requirements/parquet.txt
	@$(COMPILE) --group build -o requirements/build.txt
	@$(COMPILE) pyproject.toml --extra embedded --extra otel --extra certify --extra parquet --group dev --group build -c requirements/runtime.txt -o requirements/dev.txt

clean: ## remove .venv and the tools' caches (data stays)
	@rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist
	@find domain services adapters api tests -name __pycache__ -type d -prune -exec rm -rf {} +
