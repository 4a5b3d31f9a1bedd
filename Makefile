# Every target makes its own environment, so a fresh clone needs Python 3.11 or newer and nothing else.
# With uv on PATH that takes seconds; without it, pip installs the same locked and hashed files.

PYTHON ?= python3
UV     ?= $(shell command -v uv 2>/dev/null)
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.stamp
BENCH  := $(VENV)/.bench-stamp
# `make test PYTEST_ARGS="-x tests/rules/test_dice_tray.py"` runs a part; one process is enough then.
# One process more than processors: tests wait for disks, browsers and servers now and then. Those that wait most are
# marked `slow` (pyproject.toml says which) and come first, so that all processes end at about the same time.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)
PYTEST_ARGS ?= -n $(WORKERS) --maxprocesses 8 --dist worksteal

# What Python has compiled is kept, whatever the shell says: a test run begins hundreds of processes, and pytest
# rewrites every test's asserts, which takes it longer than to collect all tests.
unexport PYTHONDONTWRITEBYTECODE

# Paths are relative throughout: a checkout whose own path holds a space works.
.DEFAULT_GOAL := help
.PHONY: help demo test check merge lint format types docs evening icons screenshots coverage bench soak spark mutants mutants-of-rows golden lock build clean
.DELETE_ON_ERROR:

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

demo: $(STAMP) ## play a short campaign, dispute a roll and set it right
	@$(BIN)/python fixtures/demo.py

test: $(STAMP) ## every test, PostgreSQL included
	@$(BIN)/python -m pytest $(PYTEST_ARGS) $(CHOSEN)

# Format and lint first, for they take a second; types and layers beside the tests, which then wait for less.
check: format ## before each commit: format, lint, types, layers, docs and every test that is not slow
	@HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-check} $(MAKE) --no-print-directory -j2 types test CHOSEN='-m "not slow"'

merge: format ## what a merge must pass, as .ci/run does: the same with every test
	@$(MAKE) --no-print-directory -j2 types test

# The documents are tests too (tests/test_docs*.py), so `check` and `merge` run them with the rest.
lint: format types ## format, lint, types and layers only

format: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .cache/docs/.stamp ## the pages of docs/ as a site in build/site; a broken link fails it
	@.cache/docs/bin/mkdocs build --strict --clean
	@echo 'build/site/index.html'

bench: $(BENCH) ## measure what bench/ says is measured; BENCH_ARGS="--full" takes longer, BENCH_ARGS="peers" is a part
	@$(BIN)/python -m bench $(BENCH_ARGS)

soak: $(STAMP) ## break things on purpose, for SOAK_ARGS="--budget 70" minutes; see tests/torture/
	@PYTHONPATH=.:tests:tests/cli:tests/server:tests/browser $(BIN)/python -m torture $(SOAK_ARGS)

evening: $(STAMP) ## how long an evening's battle and aftermath take to type: keys, lines and minutes
	@$(BIN)/python -m pytest -q -s tests/cli/test_cli_evening.py -k five_minutes

icons: $(STAMP) ## the icons and the headings' font of the pages, from the packages locked in requirements/pages/ (needs npm)
	@npm ci --ignore-scripts --no-audit --no-fund --prefix requirements/pages
	@PYTHONPATH=. $(BIN)/python requirements/pages/make_icons.py
	@$(BIN)/python requirements/pages/make_app_icons.py

screenshots: $(STAMP) ## the main pages as a browser shows them, into docs/screenshots/
	@XDG_DATA_HOME=$$(mktemp -d) PYTHONPATH=tests:tests/browser:tests/server:tests/cli $(BIN)/python tests/browser/screenshots.py

coverage: $(STAMP) ## which lines and branches of tracker/ the tests run; the figure stands in CONTRIBUTING.md
	@$(BIN)/python -m pytest $(PYTEST_ARGS) --cov --cov-report=term:skip-covered

spark: $(STAMP) .cache/spark/.stamp ## PySpark (600 MB) beside the environment, for the tests and benchmarks that want it
	@.cache/spark/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > \
	  "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/spark.pth"

ifdef MUTANTS_ARGS
mutants: $(STAMP)
	@PYTHONPATH=tests $(BIN)/python -m mutation $(MUTANTS_ARGS)
else
mutants: .cache/mutants/.stamp ## break the rules one small way at a time, or MUTANTS_ARGS="log 50" some other part; see docs/mutation.md
	@.cache/mutants/bin/mutmut run --max-children $(or $(CHILDREN),2)
	@.cache/mutants/bin/mutmut results
endif

mutants-of-rows: $(STAMP) ## break traits, skills and conditions one row at a time; ROWS="skill dodge" for some of them
	@PYTHONPATH=tests:tests/campaign $(BIN)/python tests/broken_rows.py "$(ROWS)"

golden: $(STAMP) ## rewrite the expected outputs under fixtures/; read the diff before you keep it
	@$(BIN)/python -m pytest --update-golden $(PYTEST_ARGS)

build: $(STAMP) ## sdist and wheel into dist/
	@$(BIN)/python -m build --no-isolation

installed: $(STAMP) ## wheel and sdist work in empty environments, with and without each extra (needs the network)
	@$(BIN)/python tests/installing.py

clean: ## remove the environment, caches and builds
	rm -rf $(VENV) .cache .coverage mutants dist build .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the environment ---------------------------------------------------------------------------------

$(STAMP): requirements/dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'This needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ...' >&2; exit 1; }
ifneq ($(UV),)
	@test -x $(BIN)/python || \
	  "$(UV)" venv --quiet --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" $(VENV)
	@"$(UV)" pip sync --quiet --python $(BIN)/python --require-hashes requirements/dev.lock
	@"$(UV)" pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
else
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
endif
	@touch $(STAMP)

# What the tracker is measured against goes into the same environment; no test needs it.
$(BENCH): requirements/bench.lock $(STAMP)
ifneq ($(UV),)
	@"$(UV)" pip install --quiet --python $(BIN)/python --require-hashes -r requirements/bench.lock
else
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.lock
endif
	@touch $(BENCH)

# mutmut runs a changed copy of the program in mutants/, so nothing is installed here but what it needs.
.cache/mutants/.stamp: requirements/mutants.lock
	@$(PYTHON) -m venv --clear .cache/mutants
	@.cache/mutants/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/mutants.lock
	@touch $@

# Half a gigabyte of jars: to compress them into a wheel, and to compile what nobody imports, took most of the time.
.cache/spark/.stamp: requirements/spark.lock
	@$(PYTHON) -m venv --clear .cache/spark
	@.cache/spark/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-compile \
	  --config-settings=--build-option=--compression=stored --require-hashes -r requirements/spark.lock
	@touch $@

.cache/docs/.stamp: requirements/docs.lock
	@$(PYTHON) -m venv --clear .cache/docs
	@.cache/docs/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/docs.lock
	@touch $@

# --- the locks ---------------------------------------------------------------------------------------

# `make lock` keeps the versions that still fit; `make lock UPGRADE=1` takes the newest of everything.
UV_VERSION = 0.13.8
COMPILE = $(or $(UV),.cache/uv/bin/uv) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-emit-find-links --no-strip-extras --no-annotate --custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade)

lock: $(if $(UV),,.cache/uv/bin/uv) ## write requirements/*.lock anew from pyproject.toml
	$(COMPILE) --extra postgres --extra server --extra discord -o requirements/runtime.lock pyproject.toml
	$(COMPILE) --extra postgres --extra server --extra discord --group dev -c requirements/runtime.lock -o requirements/dev.lock pyproject.toml
	$(COMPILE) --extra postgres --extra server --extra discord --group dev --group bench -c requirements/dev.lock -o requirements/bench.lock pyproject.toml
	$(COMPILE) --extra postgres --extra server --extra discord --group dev --group mutants -c requirements/dev.lock -o requirements/mutants.lock pyproject.toml
	$(COMPILE) --group pyproject.toml:spark -c requirements/dev.lock -o requirements/spark.lock
	$(COMPILE) --group pyproject.toml:docs -o requirements/docs.lock
	$(COMPILE) --group pyproject.toml:cells -o requirements/cells.lock

.cache/uv/bin/uv:
	@$(PYTHON) -m venv .cache/uv
	@.cache/uv/bin/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
