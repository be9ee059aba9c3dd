# SPDX-License-Identifier: BSD-2-Clause
# `make demo` and `make test` set up what they need: Debian packages when run as root (else they say which are
# missing) and a Python environment in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SAMPLE := usr_ge_nrsack

CORE := $(shell find core -name '*.[ch]' -o -name CMakeLists.txt)
PACKAGE := VERSION names.toml findings.toml pyproject.toml setup.py analyzer/build_core.py analyzer/train_core.py

# Tests of `make quick`: each part once, none that takes long, neither Wireshark nor the browser.
QUICK := $(addprefix tests/,$(addsuffix .py,$(addprefix analyzer/test_,bad_input behaviour documents halves kinds names) \
	differential/test_formats $(addprefix story/test_,explain opening) $(addprefix judged/test_,pmtu timers) \
	model/test_vectors reference/test_vectors hostile/test_growth hostile/test_sample))

.PHONY: help docs schemas words outputs notebooks images pictures demo test quick check-all lint format names core-test thread-test plugin install-plugin matrix profile screenshots fuzz bench accuracy benchmark-set reliability page wheel release samples samples-expected random talks-expected mutants linux-kernel clean

help:
	@echo "make demo       set up, then compare Wireshark, us and the truth on a bundled capture (SAMPLE=NAME: another)"
	@echo "make test       set up, then run lint and every test that does not take long"
	@echo "make quick      lint and the tests of a minute: core in Python, rows, commands' words, a few hostile captures"
	@echo "make check-all  what takes longer: fuzzing for 20 seconds a target, hostile captures, large differential runs, a look at the benchmarks"
	@echo "make bench      measure, also against other tools, and write docs/performance*.md"
	@echo "make accuracy   measure verdicts on N=300 random runs and write docs/accuracy*.md; FOLDER=... for captures of your own"
	@echo "make benchmark-set  pack N=300 random runs with truth, scorer and baselines into build/, for other tools"
	@echo "make plugin     build the Wireshark plugin; make install-plugin puts it where the installed Wireshark looks"
	@echo "make matrix     build and run the plugin with Wireshark 4.4 and 4.6, in Debian chroots (needs root)"
	@echo "make profile    pack lua/profile as build/SCTP loss recovery.zip, which Wireshark imports"
	@echo "make screenshots open samples in the real Wireshark and write docs/images/"
	@echo "make reliability  try to break it with hostile captures and bad calls and write docs/reliability.md"
	@echo "make page       build build/sctp-rack.html, the page that needs no install: one file (docs/page.md)"
	@echo "make wheel      build a wheel into dist/"
	@echo "make release    write all that users download of the last commit into dist/sctp-rack-VERSION (docs/release.md)"
	@echo "make names      generate code and docs from names.toml"
	@echo "make schemas    write the JSON Schemas of --json from the code"
	@echo "make words      write docs/words.md, where each word of the verdicts is used"
	@echo "make outputs    run the commands that the documents show and put in what they print"
	@echo "make docs       write the documents as a site into build/site, whose search needs no network"
	@echo "make notebooks  run notebooks/ and write them as HTML into build/notebooks"
	@echo "make images     draw the pictures of the documents again; NAME=time-sequence: one of them"
	@echo "make pictures   images and screenshots: all of docs/images"
	@echo "make format     format C, Go and Python"
	@echo "make samples    make the captures in sample_pcaps/ again, byte for byte (docs/samples.md)"
	@echo "make random     make random runs with truth and check them: N=300 SEED=0 FOLDER=build/random"
	@echo "make talks-expected  write what is said of the talks of the C tests (tests/core/talks); read git diff before you commit"
	@echo "make mutants    change rules of the judge one at a time and see whether a test finds each (COUNT=300, FILE=fit.c)"
	@echo "make linux-kernel  build the Linux kernel whose captures are samples, some minutes; make samples needs it for them"
	@echo "make samples-expected  write the engine's rows for the samples again, as goldens; read git diff before you commit"

demo: $(VENV)/.package
	PYTHON=$(PYTHON) .ci/need demo || true
	$(BIN)/python -m sample_pcaps.demo $(SAMPLE)

# mypy takes one processor.
test: $(VENV)/.test
	$(MAKE) --jobs 2 --output-sync=target lint core-test
	$(BIN)/python -m pytest -m "not long" --numprocesses auto --dist loadfile

# Under a minute where nothing has to be set up.
quick: $(VENV)/.test lint
	$(BIN)/python -m pytest -m "not long" --numprocesses auto --dist loadfile --quiet $(QUICK)

check-all: $(VENV)/.test
	$(BIN)/python -m pytest -m long --numprocesses auto --dist loadfile
	$(BIN)/python tests/fuzz/run.py --seconds 20
	$(MAKE) thread-test
	$(MAKE) matrix
	$(BIN)/python bench/run.py --packets 50000 --rounds 1
	$(BIN)/python -m bench.graphs --transmissions 100000 --rounds 1
	$(BIN)/python -m bench.plugin --packets 50000 --rounds 1
	$(BIN)/python -m bench.lua --packets 20000 --rounds 1

lint: $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python generate_names.py --check
	$(BIN)/clang-format --dry-run --Werror $$(git ls-files '*.c' '*.h' | grep -v '^core/names\|^dissector/fields\|^core/findings/sentences')
	luacheck --quiet lua tests/lua
	if command -v gofmt >/dev/null; then test -z "$$(gofmt -l sample_pcaps)"; fi

format: $(VENV)/.test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $$(git ls-files '*.c' '*.h' | grep -v '^core/names\|^dissector/fields\|^core/findings/sentences')
	if command -v gofmt >/dev/null; then gofmt -w sample_pcaps; fi

names:
	$(PYTHON) generate_names.py
	$(PYTHON) docs/spec_map.py

core-test: $(VENV)/.test
	$(PYTHON) -m page.mbedtls
	cmake -S . -B build/sanitized -DSCTP_RACK_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=Debug
	cmake --build build/sanitized --parallel
	ctest --test-dir build/sanitized --output-on-failure --parallel $$(nproc)

# The engine's thread, with ThreadSanitizer.
thread-test: $(VENV)/.test
	cmake -S . -B build/thread-sanitized -DSCTP_RACK_SANITIZE=thread -DCMAKE_BUILD_TYPE=Debug
	cmake --build build/thread-sanitized --parallel --target test_session
	ctest --test-dir build/thread-sanitized --output-on-failure --tests-regex test_session

# For the installed Wireshark; one file serves one minor version.
plugin:
	.ci/need plugin
	cmake -S dissector -B build/plugin
	cmake --build build/plugin --parallel

# Root installs for everybody: Wireshark as root looks nowhere else. Others install into their own folder.
install-plugin: plugin
	dissector/install.sh build/plugin

matrix: $(VENV)/.test
	.ci/need matrix || true
	$(BIN)/python tests/plugin/matrix.py

# Wireshark names the profile as the folder in it.
profile:
	rm -rf build/profile
	mkdir -p build/profile
	cp -r lua/profile "build/profile/SCTP loss recovery"
	cd build/profile && $(PYTHON) -m zipfile -c "../SCTP loss recovery.zip" "SCTP loss recovery"

screenshots: $(VENV)/.test
	.ci/need screenshots
	$(BIN)/python docs/screenshots.py

# What --json writes, as JSON Schema; the tests compare it.
schemas: $(VENV)/.test
	$(BIN)/python docs/schemas.py

# Where each word of the verdicts is used.
words: $(VENV)/.test
	$(BIN)/python docs/words.py

# What the commands print that the documents show; the tests compare it.
outputs: $(VENV)/.test
	$(BIN)/python docs/outputs.py

# A site that asks no network. Strict: a link to nothing ends it.
docs: $(VENV)/.test
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# NAME: one of them.
notebooks: $(VENV)/.test
	$(BIN)/python docs/notebooks.py $(NAME)

# NAME: one of them.
images: $(VENV)/.test
	$(BIN)/python docs/images.py $(NAME)

pictures: images screenshots

bench: $(VENV)/.test
	$(BIN)/python bench/run.py --write
	$(BIN)/python -m bench.graphs --write
	$(BIN)/python -m bench.plugin --write
	$(BIN)/python -m bench.lua

# On N random runs of the seeds that are only reported. With FOLDER, captures with truth of your own: the page is printed.
accuracy: $(VENV)/.test
	$(BIN)/python -m bench.accuracy $(or $(FOLDER),--random $(or $(N),300) --write)

# The same runs; with FOLDER, these captures with truth.
benchmark-set: $(VENV)/.test
	$(BIN)/python -m bench.benchmark_set $(or $(FOLDER),--random $(or $(N),300))

# Of fuzzing it tells what the last run of tests/fuzz/run.py left.
reliability: $(VENV)/.test
	$(BIN)/python -m bench.reliability --write

samples:
	PYTHON=$(PYTHON) .ci/need samples
	$(PYTHON) -m sample_pcaps.generate --committed --knowable --to sample_pcaps

# Random runs N of SEED into FOLDER, checked.
random: $(VENV)/.test
	PYTHON=$(PYTHON) .ci/need samples
	$(BIN)/python -m sample_pcaps.generate --random $(or $(N),300) --seed $(or $(SEED),0) --to $(or $(FOLDER),build/random)
	$(BIN)/python -m sample_pcaps.generate.check $(or $(FOLDER),build/random)

# The kernel that runs the samples of Linux, into build/linux: some minutes. What is missing says .ci/need.
linux-kernel:
	PYTHON=$(PYTHON) .ci/need linux
	$(PYTHON) -m sample_pcaps.generate.linux.build

# The engine's rows for each sample and, in its story, where they are not the truth: to be read, then committed.
samples-expected: $(VENV)/.package
	$(BIN)/python -m sample_pcaps.generate.expected
	$(BIN)/python -m tests.samples.columns

# What is said of the talks of the C tests: to be read, then committed.
talks-expected: $(VENV)/.test
	cmake -S . -B build/talks -DCMAKE_BUILD_TYPE=Debug
	cmake --build build/talks --parallel 2 --target test_talks test_timeout_talks test_tail_talks test_more_talks
	for each in talks timeout_talks tail_talks more_talks; do SCTP_RACK_TALKS=write build/talks/tests/core/test_$$each || exit; done

# COUNT wrong changes of the judge's rules, one at a time: does a test find each? FILE=fit.c: of that file.
mutants: $(VENV)/.test
	$(BIN)/python -m tests.mutants --count $(or $(COUNT),300) $(if $(FILE),--file $(FILE))

# One file that asks no network; the core in it is WebAssembly.
page: $(VENV)/.package
	.ci/need page
	$(BIN)/python -c 'import pyarrow' 2>/dev/null || $(BIN)/pip install --quiet pyarrow
	$(BIN)/python -m page.build

wheel: $(VENV)/.package
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .

# What can be built here: plugins of later Wiresharks take root, for their chroots.
release: $(VENV)/.test
	.ci/need plugin
	.ci/need page
	.ci/need matrix || true
	$(BIN)/python -m release

# The package in place, so that a change shows at once; tests/analyzer/test_wheel.py installs it as users do.
$(VENV)/.package: $(CORE) $(PACKAGE) | $(VENV)/bin/python
	$(BIN)/pip install --quiet --editable '.[compression]'
	touch $@

# The package is there, by its name: what its extras need is added, and the core not compiled again.
$(VENV)/.test: $(VENV)/.package
	PYTHON=$(PYTHON) .ci/need tests samples plugin page
	$(BIN)/pip install --quiet 'sctp-rack[test,lint]'
	touch $@

$(VENV)/bin/python:
	PYTHON=$(PYTHON) .ci/need python
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip

clean:
	rm -rf build dist $(VENV) *.egg-info analyzer/*.egg-info
