#!/usr/bin/env bash
# Installs nginx and Varnish from Debian packages when they are missing: the tests of includes serve pages with
# them. Never fails: without them those tests are skipped and say so.
set -uo pipefail

have() { command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ]; }
missing=()
have nginx || missing+=(nginx-light)
have varnishd || missing+=(varnish)
[ ${#missing[@]} -eq 0 ] && exit 0

give_up() {
  {
    echo '*************************************************************************'
    echo "NOTE: ${missing[*]} not installed: $1."
    echo 'The tests that serve includes with real servers will be SKIPPED.'
    echo '*************************************************************************'
  } >&2
  exit 0
}

have apt-get || give_up 'there is no apt-get'
[ "$(id -u)" -eq 0 ] || give_up "this needs root; run: sudo apt-get install ${missing[*]}"

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
  give_up 'apt-get could not install them'
echo "installed ${missing[*]}" >&2
