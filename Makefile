# Everything that a checkout needs, with no more than Python (3.11 or newer), make and git.
# Written for POSIX sh and GNU make 3.81, which macOS still ships.

VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.installed-run
DEV := $(VENV)/.installed-dev
PEERS := tests/js/node_modules/.installed
PYTHON ?= python3
ARGS ?=

PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
UV_COMPILE = $(BIN)/uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --custom-compile-command "make lock"

.DEFAULT_GOAL := help
.PHONY: help demo test soak bench lint style types contracts lock peers

help: ## show what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo '  Each takes ARGS="…", for example: make demo ARGS="--once" or make test ARGS="-k lead"'

demo: $(RUN) ## demo dealers, a tour through real MCP clients, then a server that keeps running
	$(BIN)/forecourt demo $(ARGS)

test: $(DEV) peers ## the test suite (at most ten minutes on two cores)
	$(BIN)/python -m pytest -n auto --dist loadfile $(ARGS)

soak: $(DEV) peers ## the tests that take longer: kill loops, millions of rows
	$(BIN)/python -m pytest -m soak $(ARGS)

bench: $(DEV) ## measure speed and memory beside their peers; ARGS names the benchmarks to run
	$(BIN)/python -m benchmarks $(ARGS)

lint: style types contracts ## ruff, mypy and the import contracts

style: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEV)
	$(BIN)/mypy

contracts: $(DEV)
	$(BIN)/lint-imports

lock: $(DEV) ## resolve all dependencies anew and write the hash-locked files
	$(PIP) install uv
	$(UV_COMPILE) --all-extras --group dev --output-file requirements/dev.txt
	$(UV_COMPILE) --group build --constraint requirements/dev.txt --output-file requirements/run.txt
	cd tests/js && npm update --package-lock-only && ../../$(BIN)/python strip_addresses.py package-lock.json

# The first Python among these that is new enough and can make environments; else say what is missing.
$(BIN)/python:
	@for python in $(PYTHON) python3.14 python3.13 python3.12 python3.11; do \
	  if $$python -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	    echo "Making $(VENV) with $$($$python --version)"; \
	    exec $$python -m venv --clear $(VENV); \
	  fi; \
	done; \
	if $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	  echo "$(PYTHON) cannot make virtual environments: its venv or ensurepip module is missing." >&2; \
	  echo "On Debian and Ubuntu 'apt-get install python3-venv' brings them." >&2; \
	else \
	  found=$$($(PYTHON) --version 2>&1) || found="not installed"; \
	  echo "Forecourt needs Python 3.11 or newer; $(PYTHON) is $$found." >&2; \
	  echo "Name another one with: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11" >&2; \
	fi; \
	exit 1

# Every package is pinned by version and hash; ourselves we install as an editable tree, building offline.
$(RUN): requirements/run.txt pyproject.toml | $(BIN)/python
	@echo "Installing what Forecourt runs with (about a minute, once)"
	@$(PIP) install --require-hashes --requirement requirements/run.txt
	@$(PIP) install --no-build-isolation --no-deps --no-index --editable .
	@touch $@

$(DEV): requirements/dev.txt pyproject.toml | $(BIN)/python
	@echo "Installing what Forecourt runs and is tested with (about a minute, once)"
	@$(PIP) install --require-hashes --requirement requirements/dev.txt
	@$(PIP) install --no-build-isolation --no-deps --no-index --editable .
	@touch $(RUN) $@

# Clients of other makers in JavaScript; their tests are skipped where these cannot be had.
peers:
	@if ! command -v npm >/dev/null 2>&1; then \
	  echo "npm is not installed: the tests with JavaScript clients will be skipped"; \
	elif ! $(MAKE) --silent $(PEERS); then \
	  echo "npm could not install tests/js: the tests with JavaScript clients will be skipped"; \
	fi

$(PEERS): tests/js/package-lock.json tests/js/.npmrc
	@echo "Installing the JavaScript clients of the tests"
	@cd tests/js && npm ci
	@touch $@
