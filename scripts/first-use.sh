#!/bin/sh
# Installs the dependencies and builds dist/ if necessary. Two processes may run it at once.
set -eu
cd "$1"
if ! command -v node >/dev/null 2>&1 || ! node -e '[a,b]=process.versions.node.split(".");process.exit(a>20||a==20&&b>=19?0:1)'; then
  echo "kubexm needs Node 20.19 or newer, preferably 22. Install it, then check with: node --version" >&2
  exit 1
fi
exec 9>.first-use.lock
command -v flock >/dev/null 2>&1 && flock 9
log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() {
  "$@" >"$log" 2>&1 || { echo "Could not build kubexm: $* failed" >&2; tail -n 20 "$log" >&2; exit 1; }
}
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  [ ! -t 2 ] || echo "First use: installing dependencies and building kubexm (about 30 s)" >&2
  quietly npm ci --ignore-scripts --no-audit --no-fund
  touch node_modules/.package-lock.json
fi
quietly npm run build
