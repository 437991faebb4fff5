# Each target installs what it needs. On a fresh Debian 12: Node 20.19 or newer, git, root.
.PHONY: demo test check e2e bench build clean

demo: node_modules ## Boot lab machines, make a cluster of them, show its nodes, remove it all
	@sh scripts/demo.sh

test: node_modules ## Everything that must hold: format, lint, types, layers, unused code, fast tests, tests on lab machines
	@node scripts/test.mjs fast lab

check: node_modules ## The same without lab machines: seconds, no root
	@node scripts/test.mjs fast

e2e: node_modules ## The long suites; writes docs/results.md
	@node scripts/test.mjs e2e

bench: node_modules ## Numbers; writes docs/results.md
	@npm run --silent build
	@status=0; for name in startup validate engine lab connector preflight prepare artifacts cluster; do npx tsx bench/$$name.ts || status=1; done; exit $$status

build: node_modules
	@npm run --silent build

node_modules: package-lock.json
	@npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch node_modules

clean:
	rm -rf node_modules dist dist.*
