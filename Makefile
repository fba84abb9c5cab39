# Two commands set everything up by themselves: `make play` and `make test`.
PYTHON ?= python3
BIN := .venv/bin

LIMIT_EXPERTS := eqm eqm-aggressive eqm-passive
LIMIT_FIELD := $(LIMIT_EXPERTS) simplebot jagbot dpp
NOLIMIT_EXPERTS := eqm-nl eqm-nl-aggressive eqm-nl-passive
NOLIMIT_FIELD := $(NOLIMIT_EXPERTS) simplebot jagbot random
SIMBOT := simbot:rollouts=16

# Readers, replay, case bases and strategies: whatever brings bytes of a file to a kernel.
BOUNDS := acpc_logs cbr damaged_hands history public_chance_sampling irc phh pokerstars read_hands sartre
FUZZ_SECONDS ?= 60

.PHONY: help play play-check test test-compiled test-all test-bounds test-lowest test-search fuzz check check-all check-page docs notebooks release-check field bench cases cases-sartre cases-casper cases-imitators clean

help:
	@echo "make play        set up, then open the web table"
	@echo "make play-check  the same without waiting for a person"
	@echo "make test        set up, then check and test everything"
	@echo "make test-all    what takes longer: long tests, array bounds checked in kernels, damaged files by the thousand"
	@echo "make test-compiled  right after a set-up: check that no command compiles anything more"
	@echo "make test-lowest try the lowest versions of libraries that pyproject.toml allows (Python 3.11 or 3.12)"
	@echo "make test-search  let the property tests look for examples that no run has tried"
	@echo "make check       only the linters, types and layers"
	@echo "make check-all   what neither make test nor CI runs: the page's own checks, the notebooks, the site of the documentation, every number of seats in a browser"
	@echo "make check-page  types and tests of the page's own modules (needs Node and npm; nothing of it is shipped)"
	@echo "make notebooks   set up, then execute the notebooks of docs/notebooks; the site shows their results"
	@echo "make docs        set up, then build the documentation as a site in build/site and check its links"
	@echo "make release-check  build the archives and try them as a user would (see RELEASING.md)"
	@echo "make field       measure every agent for the lobby again"
	@echo "make bench       set up, then measure against other libraries"
	@echo "make cases       record and learn the shipped memories of sartre, casper and the imitators again"
	@echo "make clean       remove the virtual environment and what tools left behind"

play: .venv/installed
	@$(BIN)/holdmem play

play-check: .venv/installed
	@$(BIN)/holdmem play --check --no-browser
	@$(BIN)/holdmem play --terminal --auto random --hands 3 --seed 3

test: check
	@$(BIN)/python -m pytest -n auto --dist worksteal --durations=40 --durations-min=2

test-all: .venv/installed-test
	@$(BIN)/python -m pytest -n auto --dist worksteal -m long
	@$(MAKE) --no-print-directory test-bounds test-lowest fuzz

test-compiled: .venv/installed-test
	@HOLDMEM_JUST_COMPILED=1 $(BIN)/python -m pytest -n 0 -m matrix tests/test_compile_command.py

test-bounds: .venv/installed-test
	@echo "Readers, replay, case bases and strategies with every array index checked"
	@NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n auto --dist worksteal $(BOUNDS:%=tests/test_%.py)

fuzz: .venv/installed-test
	@$(BIN)/python tests/fuzz_readers.py --others --seconds $(FUZZ_SECONDS) --seed 1

test-lowest: .venv-lowest/installed
	@.venv-lowest/bin/python tests/smoke.py

test-search: .venv/installed-test
	@$(BIN)/python -m pytest -n auto --dist worksteal -m "hypothesis and not long and not matrix" --hypothesis-profile=search

check: .venv/installed-test
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check -q .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache > .venv/layers.txt || { cat .venv/layers.txt; exit 1; }

check-all: check-page notebooks docs test-search .venv/installed-test
	@$(BIN)/python -m pytest -n auto --dist worksteal -m matrix

check-page:
	@npm ci --silent --no-audit --no-fund --prefix page-tools
	@npm run --silent --prefix page-tools check
	@npm run --silent --prefix page-tools test

notebooks: .venv/installed-notebooks
	@rm -rf build/notebooks
	@$(BIN)/python docs/run_notebooks.py build/notebooks

docs: .venv/installed-docs
	@rm -rf build/site
	@$(BIN)/python docs/site/stage.py build/site-source
	@$(BIN)/sphinx-build -q -E -a -W --keep-going -c docs/site -d build/site-doctrees build/site-source build/site
	@$(BIN)/python docs/site/check.py build/site

release-check: .venv-release/installed
	@.venv-release/bin/python tests/release.py build/release

field: .venv/installed
	@$(BIN)/python -m holdmem.papers.field --ledger build/field.sqlite

bench: .venv/installed-bench
	@$(BIN)/python -m benchmarks

cases: cases-sartre cases-casper cases-imitators

cases-sartre: .venv/installed
	rm -rf build/cases
	$(BIN)/holdmem record eqm eqm --hands 1000000 --seed 2009 --purpose record --workers 2 -o build/cases/hands
	$(BIN)/holdmem learn build/cases/hands --player eqm --as sartre-1 --most 1000000 -o build/cases/sartre-1
	$(BIN)/holdmem learn build/cases/hands --player eqm --as sartre-2 -o build/cases/sartre-2
	rm -rf src/holdmem/data/sartre-1 src/holdmem/data/sartre-2
	mv build/cases/sartre-1 build/cases/sartre-2 src/holdmem/data/

cases-casper: .venv/installed
	rm -rf build/casper
	$(BIN)/holdmem record poki $(SIMBOT) poki $(SIMBOT) poki $(SIMBOT) poki $(SIMBOT) poki --game casper \
		--hands 198 --matches 101 --seed 2007 --purpose record --workers 2 -o build/casper/hands
	$(BIN)/holdmem learn build/casper/hands --player poki --player $(SIMBOT) --as casper --held-out 0 \
		--mark 30 --mark 300 --mark 1000 --mark 3000 --mark 7000 --mark 19998 -o build/casper/casper
	rm -rf src/holdmem/data/casper
	mv build/casper/casper src/holdmem/data/

cases-imitators: .venv/installed
	rm -rf build/imitators
	seed=2010; for expert in $(LIMIT_EXPERTS); do for other in $(LIMIT_FIELD); do seed=$$((seed + 1)); \
		$(BIN)/holdmem record $$expert $$other --game limit --hands 60000 --seed $$seed --purpose record \
			--workers 2 -o build/imitators/limit/$$expert-$$other || exit 1; done; done
	seed=2110; for expert in $(NOLIMIT_EXPERTS); do for other in $(NOLIMIT_FIELD); do seed=$$((seed + 1)); \
		$(BIN)/holdmem record $$expert $$other --game nolimit --hands 60000 --seed $$seed --purpose record \
			--workers 2 -o build/imitators/nolimit/$$expert-$$other || exit 1; done; done
	for expert in $(LIMIT_EXPERTS); do rm -rf src/holdmem/data/imitator-$$expert; \
		$(BIN)/holdmem learn build/imitators/limit/* --player $$expert --as imitator-limit \
			-o src/holdmem/data/imitator-$$expert || exit 1; done
	for expert in $(NOLIMIT_EXPERTS); do rm -rf src/holdmem/data/imitator-$$expert; \
		$(BIN)/holdmem learn build/imitators/nolimit/* --player $$expert --as imitator-nolimit \
			-o src/holdmem/data/imitator-$$expert || exit 1; done

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("HoldMem needs Python 3.11 or newer, got " + sys.version.split()[0] + "; try: make PYTHON=python3.12 …")'
	@echo "Setting up .venv"
	@$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml
	@echo "Installing HoldMem"
	@$(BIN)/pip install -q --disable-pip-version-check -e ".[plots,web]"
	@$(BIN)/holdmem compile
	@touch $@

.venv/installed-%: .venv/installed
	@echo "Installing what $* needs"
	@$(BIN)/pip install -q --disable-pip-version-check -e ".[$*]"
	@touch $@

.venv/installed-docs: .venv/bin/python pyproject.toml # the site needs nothing compiled
	@echo "Installing what docs needs"
	@$(BIN)/pip install -q --disable-pip-version-check -e ".[docs]"
	@touch $@

.venv-release/installed: pyproject.toml
	@echo "Setting up .venv-release"
	@$(PYTHON) -m venv .venv-release
	@$(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["release"], sep="\n")' > .venv-release/tools.txt
	@.venv-release/bin/pip install -q --disable-pip-version-check -r .venv-release/tools.txt
	@touch $@

.venv-lowest/installed: pyproject.toml tests/lowest.py
	@echo "Setting up .venv-lowest"
	@$(PYTHON) -m venv .venv-lowest
	@$(PYTHON) tests/lowest.py > .venv-lowest/lowest.txt
	@.venv-lowest/bin/pip install -q --disable-pip-version-check -c .venv-lowest/lowest.txt -e ".[cluster,plots,rl,web]"
	@touch $@

clean:
	rm -rf .venv .venv-lowest .venv-release .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
