# make demo   a working example in its own environment
# make test   the whole suite in an environment with all extras
# Everything else is for contributors: see CONTRIBUTING.md.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# The interpreter that makes the environments: PYTHON if it is given, else the first that will do.
FOUND := $(shell for p in $(or $(PYTHON),python3 python3.13 python3.12 python3.11); do \
	"$$p" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& "$$p" -c 'import sys; print(sys.executable)' && break; done)

# An environment is finished when its stamp exists. The stamp's name is a checksum of what the environment
# was made from, so that a change makes a new one and an interrupted installation is begun again.
KEY := $(shell { cat pyproject.toml constraints.txt; $(if $(FOUND),"$(FOUND)" -V;) } | cksum | cut -d ' ' -f 1)
DEV := .venv
DEMO := .venv-demo
DEV_READY := $(DEV)/ready-$(KEY)
DEMO_READY := $(DEMO)/ready-$(KEY)

PIP := -m pip --disable-pip-version-check --no-input install --quiet --constraint constraints.txt
TORCH := $(shell grep '^torch==' constraints.txt)
WORKERS ?= auto
TESTS ?= tests

.PHONY: help demo test lint types contracts format constraints clean

help: ## show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 20

demo: $(DEMO_READY) ## index this repository, augment a task, show prompt, receipt, outcome and learning
	@$(DEMO)/bin/prebrief demo

test: $(DEV_READY) ## run the suite (TESTS=tests/templates for a part, WORKERS=1 for one process)
	@$(DEV)/bin/python -m pytest -n $(WORKERS) $(TESTS)

lint: $(DEV_READY) ## style and defects
	@$(DEV)/bin/ruff check .
	@$(DEV)/bin/ruff format --check .

types: $(DEV_READY) ## strict types
	@$(DEV)/bin/mypy

contracts: $(DEV_READY) ## which room may import which
	@$(DEV)/bin/lint-imports --no-logo

format: $(DEV_READY) ## rewrite files in the house style
	@$(DEV)/bin/ruff check --fix .
	@$(DEV)/bin/ruff format .

constraints: ## pin the newest allowed versions, in a fresh environment (then run the suite)
	@$(call need_python)
	@folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
	"$(FOUND)" -m venv "$$folder" && \
	"$$folder/bin/python" -m pip --disable-pip-version-check install --quiet "$(TORCH)" && \
	"$$folder/bin/python" -m pip --disable-pip-version-check install --quiet --editable '.[serve,semantic,tune,bench,dev]' && \
	{ sed '/^$$/q' constraints.txt; "$$folder/bin/python" -m pip freeze --all --exclude-editable \
	  | grep -E '^[A-Za-z0-9_.-]+==' | grep -vE '^pip==' | sed 's/+cpu$$//'; } > "$$folder/pins" && \
	cp "$$folder/pins" constraints.txt

clean: ## remove environments, caches and builds; never .knowledge/, which holds the receipts
	@rm -rf $(DEV) $(DEMO) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# torch goes first and by its exact version: as a dependency of another package it would be free to move.
$(DEV_READY):
	@$(call fresh,$(DEV))
	@$(DEV)/bin/python $(PIP) "$(TORCH)"
	@$(DEV)/bin/python $(PIP) --editable '.[serve,semantic,tune,bench,dev]'
	@touch $@

$(DEMO_READY):
	@$(call fresh,$(DEMO))
	@$(DEMO)/bin/python $(PIP) --editable .
	@touch $@

define need_python
test -n "$(FOUND)" || { echo "Prebrief needs Python 3.11 or newer with its venv module; none was found." \
	"Install one, or name it: make PYTHON=/path/to/python3 ..." >&2; exit 1; }
endef

define fresh
$(need_python); echo "Making $(1) with $$("$(FOUND)" -V)" >&2; rm -rf $(1); "$(FOUND)" -m venv $(1)
endef
