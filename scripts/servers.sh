#!/usr/bin/env bash
# Installs nginx and Varnish from Debian packages when they are missing: the tests of includes serve pages with
# them. Exits with 77 and the reason when they cannot be installed; without them those tests are skipped.
set -uo pipefail

have() { command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ]; }
missing=()
have nginx || missing+=(nginx-light)
have varnishd || missing+=(varnish)
[ ${#missing[@]} -eq 0 ] && exit 0

skip() {
  echo "tests with real servers are skipped, ${missing[*]} not installed: $1" >&2
  exit 77
}

have apt-get || skip 'there is no apt-get'
[ "$(id -u)" -eq 0 ] || skip "this needs root; run: sudo apt-get install ${missing[*]}"

# packages must not start services of their own
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod +x "$policy"
  trap 'rm -f "$policy"' EXIT
fi
export DEBIAN_FRONTEND=noninteractive
quiet=(-qq -o Acquire::Retries=2 -o Acquire::http::Timeout=20)
timeout 120 apt-get update "${quiet[@]}" >/dev/null 2>&1
timeout 300 apt-get install -y --no-install-recommends "${quiet[@]}" "${missing[@]}" >/dev/null 2>&1 ||
  skip 'apt-get could not install them'
echo "installed ${missing[*]}" >&2
