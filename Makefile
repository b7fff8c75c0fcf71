# make demo: set up, make sample data, ingest it, write report.html      make test: set up and pass every check
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --quiet --disable-pip-version-check
JOBS   ?= 2
# what asks the engine, of the tests of facts
FACTS_TESTS := facts_are_what_views_compute order_and_splits_of_ingests_change_nothing facts_of_dumps_and_listings_together \
  a_time_shows_what_all_days_hold_of_it a_verdict_is_about_all_days the_whole_check_compares_facts_with_the_records
DUCKDB_TESTS := box.py box_moves.py catalog.py disconnect.py golden.py guard.py limits.py promise.py questions.py together.py volume_interval.py
UNCHANGED  := $(addprefix test_,a_rule_gives_the_same_as_before $(addprefix every_,$(addsuffix _gives_the_same_as_before,question view finding verdict)))
STAMP  := $(VENV)/.installed

.PHONY: demo test checks setup lint types layers docs site words unit test-long duckdb-2 test-duckdb-2 spark test-spark test-engines audit release-check bench lock clean

demo: setup
	$(BIN)/iosq demo -o report.html --keep demo

# checks and tests run in parallel; the output of the checks comes when they end, and a failure of either fails the whole
test: setup
	@(output=$$($(MAKE) --no-print-directory -k checks 2>&1); status=$$?; echo "$$output"; exit $$status) & checks=$$!; \
	$(MAKE) --no-print-directory unit; tests=$$?; wait $$checks && exit $$tests

checks: lint types layers docs words

setup: $(STAMP)

# uv (the one that the lock names) is several times as fast as pip. pip does it where uv can't be had or fails, and where
# pip's settings name an index or a proxy: uv does not read them. Compiled at once, as some environments forbid Python to
# keep what it compiled, and each command would then do it again
$(STAMP): requirements.lock pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	! $(BIN)/python -m pip config list | grep -Eq "index|proxy" && \
	  sed -n '/^uv==/,/[^\\]$$/p' requirements.lock | $(PIP) install --require-hashes -r /dev/stdin && \
	  $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes -r requirements.lock || \
	  $(PIP) install --require-hashes -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation -e .
	$(BIN)/python -m compileall -q iosq/ parsers toolkit models
	touch $@

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy -p iosq

layers: setup
	$(BIN)/lint-imports

docs: setup
	$(BIN)/python -m iosq.toolkit.reference --check

# docs/ as pages that a browser opens from site/index.html, with search; a broken link fails
site: setup
	NO_COLOR=1 $(BIN)/zensical build --strict --clean

# banned words in sentences and names: tests/words/banned.csv
words: setup
	$(BIN)/python -m tests.words

unit: setup
	$(BIN)/pytest -n $(JOBS) --no-loadscope-reorder

# all examples, seeds and numbers of threads of tests/length.py; `make test` runs some of them
test-long: setup
	IOSQ_TESTS=long $(BIN)/pytest -n $(JOBS) --no-loadscope-reorder

# the major version that pyproject.toml allows in addition to the locked one
duckdb-2: setup
	$(PIP) install --no-deps --upgrade --target $(VENV)/duckdb-2 "duckdb>=2,<3"

# limits and locks of the engine, every view and the findings of the clinic, against the golden files of the locked version
test-duckdb-2: duckdb-2
	PYTHONPATH=$(CURDIR)/$(VENV)/duckdb-2 $(BIN)/python -c "import duckdb; assert duckdb.__version__.startswith('2.'), duckdb"
	PYTHONPATH=$(CURDIR)/$(VENV)/duckdb-2 $(BIN)/pytest -n $(JOBS) --no-loadscope-reorder $(addprefix tests/integration/test_facts.py::test_,$(FACTS_TESTS)) \
	  $(addprefix tests/toolkit/sql/test_,$(DUCKDB_TESTS)) \
	  $(addprefix tests/toolkit/advise/test_advise_score.py::,$(UNCHANGED))

# Spark is 500 MB and wants Java 17: its tests are skipped without it
spark: setup
	$(PIP) install --no-build-isolation -e ".[spark]"

test-spark: spark
	$(BIN)/pytest tests/toolkit/spark

# the short form of `python -m tests.benchmarks engines`
test-engines: spark
	$(BIN)/pytest tests/toolkit/spark/test_views.py tests/toolkit/spark/test_steps.py

# known vulnerabilities and licences of what we depend on; wants a network, and says what it could not ask
audit: setup
	-$(PYTHON) -m venv .audit-venv && .audit-venv/bin/pip install --quiet --disable-pip-version-check pip-audit
	PATH="$$PWD/.audit-venv/bin:$$PATH" $(BIN)/python -m tests.figures dependencies; status=$$?; rm -rf .audit-venv; exit $$status

# wheel and sdist on every Python at hand, licences, bill of materials; wants a network
release-check: setup
	.ci/release-check

bench: setup
	$(BIN)/python -m tests.benchmarks

# exact versions with hashes, no download host named
lock: setup
	$(BIN)/uv pip compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --python-version 3.11 --universal --extra dev --extra docs --no-header pyproject.toml requirements.build.in -o requirements.lock

clean:
	rm -rf $(VENV) build dist *.egg-info demo lake report.html site .cache
