#!/bin/sh
# Trains the page-level model of the package from the archives under CHAFF_DATA: whole sites, sites over years, and
# the hosts with two pages or more in the gold sets, whose gold is not looked at. Tables of features are kept aside
# (some hundred MB), so that trials with other settings take a minute; models/README.md says how settings are chosen.
#
#   CHAFF_DATA=data scripts/train-page-model.sh [MODEL.json]
#
# With HOLD_OUT=odd (or even), hosts of that half of the gold sets are not learnt from: figures of their gold are then
# those of hosts never met.
#
# The command line makes such a model in one step, from any archives:
#   chaff train 'sites/*.warc.gz' --labels any --classifier trees -o MODEL.json
set -eu
: "${CHAFF_DATA:?the folder with sites/, history/ and gold/}"
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
model=${1:-$root/models/page.json}
tables=$(mktemp -d)
trap 'rm -rf "$tables"' EXIT

npx tsx "$root/bench/page-tables.ts" "$tables/sites.bin" train "$CHAFF_DATA"/sites/*.warc.gz "$CHAFF_DATA"/history/*.warc.gz
npx tsx "$root/bench/page-tables.ts" "$tables/sets.bin" train "$CHAFF_DATA"/gold/*.warc.gz
npx tsx "$root/bench/page-tuning.ts" train "$model" "$tables/sites.bin" "$tables/sets.bin"
