#!/bin/sh
# Installs the pinned version of Crawlee from npm and runs the tests of its adapter with it.
#
#   npm run build && scripts/crawlee-adapter.sh
#
# The packages (39 MB) go to adapters/crawlee/test/node_modules, where they are used again while the lock file stays the
# same. When they cannot be installed, it exits with 77 and the reason.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
cd "$here/adapters/crawlee/test"

if ! cmp -s package-lock.json node_modules/installed.json; then
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  if ! npm ci --ignore-scripts --no-audit --no-fund >"$log" 2>&1; then
    tail -5 "$log" >&2
    echo "the adapter for Crawlee is not tested: npm cannot install Crawlee" >&2
    exit 77
  fi
  cp package-lock.json node_modules/installed.json
fi

node --test chaff-crawlee.test.mjs
