# Each target installs what it needs. Requirements: Debian 12, Node 20.19 or newer (22 recommended), git; root for lab machines.
.PHONY: demo test check e2e mutants bench build clean

demo: node_modules ## Create a cluster on three lab machines, show its nodes, remove everything
	@node scripts/demo.mjs

test: node_modules ## All checks, fast tests, and tests on lab machines; needs root
	@node scripts/test.mjs fast lab

check: node_modules ## The same without lab machines; needs no root
	@node scripts/test.mjs fast

e2e: node_modules ## The long suites; writes docs/results.md
	@node scripts/test.mjs e2e

mutants: node_modules ## Breaks the sources in known ways; fails if no test notices one of them
	@npx tsx test/mutants/run.ts

bench: node_modules ## Benchmarks; writes docs/results.md
	@npm run --silent build
	@status=0; for name in startup validate engine lab connector preflight prepare artifacts cluster uploads scale scale-nodes; do npx tsx bench/$$name.ts || status=1; done; exit $$status

build: node_modules
	@npm run --silent build

node_modules: package-lock.json
	@npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch node_modules

clean:
	rm -rf node_modules dist dist.*
