#!/usr/bin/env bash
# Installs Slurm from Debian packages when it is missing, and tests cluster/slurm on two nodes on this machine. The test
# starts munged, slurmctld and two slurmd on ports of their own and stops them.
#
#   npm run build && scripts/slurm.sh
#
# Without root or apt-get, on a machine without Slurm, it exits with 77 and the reason.
set -uo pipefail
cd "$(dirname "$0")/.."

have() { command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ]; }
skip() {
  echo "Slurm is not tested: $1" >&2
  exit 77
}

packages=(munge slurmctld slurmd slurm-client)
if ! { have munged && have slurmctld && have slurmd && have sbatch; }; then
  have apt-get || skip 'it is not installed, and there is no apt-get'
  [ "$(id -u)" -eq 0 ] || skip "it is not installed; run: sudo apt-get install ${packages[*]}"
  # packages must not start services of their own
  policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod +x "$policy"
    trap 'rm -f "$policy"' EXIT
  fi
  export DEBIAN_FRONTEND=noninteractive
  quiet=(-qq -o Acquire::Retries=2 -o Acquire::http::Timeout=20)
  timeout 120 apt-get update "${quiet[@]}" >/dev/null 2>&1
  timeout 300 apt-get install -y --no-install-recommends "${quiet[@]}" "${packages[@]}" >/dev/null 2>&1 ||
    skip 'apt-get could not install it'
  echo "installed ${packages[*]}" >&2
fi

CHAFF_SLURM=1 npx vitest run test/end-to-end/slurm.test.ts
