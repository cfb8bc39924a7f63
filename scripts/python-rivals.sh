#!/bin/sh
# Installs the extractors in Python that bench/extractors.ts and bench/end-to-end.bench.ts measure beside ours, in a
# virtual environment.
#
#   scripts/python-rivals.sh [FOLDER]     by default bench/.venv; CHAFF_PYTHON names another python3
#
# Safe to run again. Needs Python 3.10 or newer with venv and pip.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$here/bench/.venv}

[ -x "$folder/bin/python" ] || "${CHAFF_PYTHON:-python3}" -m venv "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$here/bench/python-requirements.txt"
"$folder/bin/python" "$here/bench/python-extractors.py" --versions
