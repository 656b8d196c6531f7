# Short names for the usual commands; CMakePresets.json says how each build is made.

SHELL := /bin/bash
JOBS ?= $(shell nproc)
# How long `make run` and `make newest` fuzz.
RUN_TIME ?= 1m
# Seconds per target of `make fuzz`.
FUZZ_SECONDS ?= 60

say = printf '== %s\n'
configure_and_build = $(say) 'configuring ($(1))' && cmake --preset $(1) >/dev/null && \
  $(say) 'building ($(1))' && cmake --build --preset $(1) -j $(JOBS)
# Sets the folder where tests put their files, for the rest of the line; it goes with the shell.
in_test_folder = folder=$$(tools/test_folder) && trap 'rm -rf "$$folder"' EXIT && \
  export TMPDIR="$$folder" TEST_TMPDIR="$$folder"
run_tests = $(say) 'testing ($(1))' && $(in_test_folder) && ctest --preset $(1) -j $(JOBS)

# What `make test` runs, each test once: what sanitizers may find something in with those for memory and
# undefined behaviour (what runs in threads also with that for threads), the rest as users run it.
SUITES := sanitized tsan plain

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup build run newest test check asan tsan tidy format coverage fuzz bench clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

setup:  ## install what is missing (Debian; asks for root through sudo)
	@$(say) 'installing what is missing'
	@tools/setup

build: setup  ## build the program: build/release/elenchus
	@$(call configure_and_build,release) --target elenchus

# A campaign ends with 1 when it has found a bug, which is what one wants to see here.
run: build  ## build, then fuzz every solver found for a minute
	@$(say) 'fuzzing every solver found, with the embedded seeds, for $(RUN_TIME)'
	@build/release/elenchus fuzz --time $(RUN_TIME) --jobs $(JOBS) \
	  --out build/campaigns/$$(date +%Y%m%d-%H%M%S) || [ $$? -eq 1 ]

# A fresh process of a Z3 in WebAssembly needs a second, hence the time limit.
newest: build  ## fuzz the newest released Z3, from npm, beside cvc5 for a minute
	@$(say) 'looking for node and npm'
	@tools/setup --newest
	@$(say) 'looking for the newest Z3 of npm'
	@tools/newest
	@$(say) 'fuzzing it beside cvc5, with the embedded seeds, for $(RUN_TIME)'
	@build/release/elenchus fuzz --solver tools/z3_npm --solver cvc5 --time $(RUN_TIME) \
	  --jobs $(JOBS) --timeout 3s --out build/campaigns/newest-$$(date +%Y%m%d-%H%M%S) || [ $$? -eq 1 ]

# All run even if some fail, so that one look shows everything that is wrong.
test:  ## build with and without sanitizers, run all tests
	@$(say) 'installing what is missing'
	@tools/setup --tests
	@$(call configure_and_build,release) --target driven_from_outside
	@$(call configure_and_build,asan)
	@$(call configure_and_build,tsan)
	@rm -f build/test-*.log
	@$(in_test_folder) || exit 1; \
	status=0; \
	for suite in $(SUITES); do \
	  $(say) "testing ($$suite)"; \
	  ctest --preset $$suite -j $(JOBS) --output-log build/test-$$suite.log || status=1; \
	done; \
	$(say) 'summary'; \
	for suite in $(SUITES); do \
	  printf '%-10s ' "$$suite:"; \
	  grep -h 'tests passed' build/test-$$suite.log | tr '\n' ' '; \
	  grep -h 'Total Test time' build/test-$$suite.log || echo 'no result'; \
	done; \
	exit $$status

check:  ## before a commit: debug build, the fast tests, clang-tidy on what the branch changed
	@$(call configure_and_build,debug)
	@$(call run_tests,fast)
	@$(say) 'clang-tidy on what changed'
	@tools/run_tidy --no-tests --changed --build build/debug || [ $$? -eq 77 ]

asan:  ## the whole suite under AddressSanitizer and UndefinedBehaviorSanitizer
	@$(call configure_and_build,asan)
	@$(call run_tests,asan)

tsan:  ## the tests of what runs in threads under ThreadSanitizer
	@$(call configure_and_build,tsan)
	@$(call run_tests,tsan)

tidy:  ## clang-tidy over all sources
	@$(call configure_and_build,tidy)

format:  ## format the C++ sources
	@tools/check_format --fix

coverage:  ## which lines the tests reach
	@$(call configure_and_build,coverage)
	@find build/coverage -name '*.gcda' -delete
	@$(call run_tests,coverage)
	@$(say) 'lines reached'
	@tools/coverage --build build/coverage

fuzz:  ## fuzz our own parsers with libFuzzer (FUZZ_SECONDS=60 each)
	@tools/setup --fuzz
	@$(call configure_and_build,fuzz)
	@set -e; for target in build/fuzz/fuzz/*; do \
	  [ -x "$$target" ] || { echo 'no targets in tests/fuzz'; break; }; \
	  name=$$(basename "$$target"); \
	  mkdir -p "build/fuzz/corpus/$$name"; \
	  seeds=(); [ ! -d data/seeds ] || seeds=(data/seeds); \
	  $(say) "fuzzing ($$name, $(FUZZ_SECONDS) s)"; \
	  "$$target" -max_total_time=$(FUZZ_SECONDS) -artifact_prefix="build/fuzz/$$name-" \
	    "build/fuzz/corpus/$$name" "$${seeds[@]}"; \
	done

bench: setup  ## run the benchmarks
	@$(call configure_and_build,release)
	@set -e; for bench in build/release/bench/*; do \
	  [ -x "$$bench" ] || { echo 'no benchmarks in bench/'; break; }; \
	  $(say) "benchmark ($$(basename "$$bench"))"; \
	  "$$bench"; \
	done
	@if [ -x bench/parse_speed ]; then $(say) 'parsing, against the solvers' && bench/parse_speed; fi

clean:  ## remove all builds
	rm -rf build
