PYTHON ?= python3.11
BIN := .venv/bin
LOCK := uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet

.PHONY: help run test test-slow test-engines test-faults test-dataflow check lint types docs bench bench-history bench-scale sample lock clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: .venv/run.stamp ## install what a run needs and run the sample campaign
	@rm -rf out/sample
	$(BIN)/assay run manifests/sample/campaign.json --output out --run-id sample

test: .venv/test.stamp ## install everything and run the test suite, on all processors
	$(BIN)/python -m pytest -m "not slow and not engines and not dataflow" --ignore=tests/faults -n auto --maxprocesses 8 --dist loadfile --no-loadscope-reorder

test-slow: .venv/test.stamp ## the long property tests: 100,000 fuzzed inputs and more
	$(BIN)/python -m pytest -m slow --ignore=tests/faults

test-faults: .venv/test.stamp ## disturb runs: kills, dying workers, failing disks (ASSAY_FAULT_POINTS=all: every operation)
	$(BIN)/python -m pytest tests/faults -n auto --maxprocesses 8 --dist load

test-engines: .venv/test.stamp ## the samples on another engine, Prism, built once with Go (minutes)
	$(BIN)/python -m pytest -m engines -rs tests/engines

test-dataflow: .venv/test.stamp ## stage jobs for Dataflow in an emulated bucket (a minute)
	$(BIN)/python -m pytest -m dataflow -rs tests/dataflow

check: lint types docs-current ## lint, types, and whether generated pages are current

lint: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/test.stamp
	$(BIN)/mypy

docs: .venv/run.stamp ## write the generated pages anew
	$(BIN)/python -m pipeline.report.codes > docs/codes.md

docs-current: .venv/run.stamp
	$(BIN)/python -m pipeline.report.codes | diff - docs/codes.md

bench: .venv/test.stamp ## measure a run against the plain loop; prints a table
	$(BIN)/python tests/bench/bench.py
	$(BIN)/python tests/bench/kinds.py
	$(BIN)/python tests/bench/decisions.py

bench-history: .venv/test.stamp ## measure a run against a year of earlier ones (4 GB of disk)
	$(BIN)/python tests/bench/history.py

bench-scale: .venv/test.stamp ## simulate the plan of a run of a million blocks (5 GB of memory)
	$(BIN)/python tests/bench/million_blocks.py

sample: .venv/run.stamp ## write the committed sample campaigns anew
	rm -rf manifests/sample manifests/kinds manifests/baselines manifests/acceptance manifests/workbench
	$(BIN)/assay sample --output manifests/sample --records 240 --seed 1
	$(BIN)/assay sample --kinds --output manifests/kinds --records 50 --seed 1
	$(BIN)/assay sample --baselines --output manifests/baselines --records 60 --seed 1
	$(BIN)/assay sample --acceptance --output manifests/acceptance --records 36 --seed 1
	$(BIN)/assay sample --workbench --output manifests/workbench --records 40 --seed 1

lock: ## write the lock files anew (needs uv on the PATH)
	$(LOCK) --extra build --extra gcp pyproject.toml -o requirements.lock
	$(LOCK) --extra build --extra gcp --extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock

clean: ## remove everything that make made
	rm -rf .venv out build *.egg-info .mypy_cache .ruff_cache

.venv/run.stamp: requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

.venv/test.stamp: .venv/run.stamp requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	touch $@
