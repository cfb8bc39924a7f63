#!/bin/sh
# The extractors that `chaff eval` scores beside Chaff: installs them, and runs them on the pages of archives.
#
#   scripts/rivals.sh install [python|node|go|rust …]      all four by default; one that is missing is left out of runs
#   scripts/rivals.sh run FOLDER ARCHIVE.warc.gz …         writes FOLDER/NAME/RIVAL.jsonl for NAME.warc.gz
#   chaff eval gold/NAME.warc.gz --gold gold/NAME.jsonl --outputs FOLDER/NAME/*.jsonl
#
# RIVALS names the extractors to run. The programs go to bench/.rivals, or to the folder that CHAFF_RIVALS names. FOLDER
# must lie outside the repository: it holds the pages' texts. A file that exists is not made again. Needs Python 3.10 with
# venv, Node, Go and cargo, each only for its own extractors.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
home=${CHAFF_RIVALS:-$here/bench/.rivals}
rivals=${RIVALS:-resiliparse dom_smoothie rs-trafilatura go-trafilatura readability-lxml trafilatura trafilatura-comments readability defuddle}
# a page that an extractor never finishes must not stop the others
seconds=${RIVAL_SECONDS:-7200}

install() {
  mkdir -p "$home"
  for kind in "$@"; do
    case $kind in
    python)
      [ -x "$home/venv/bin/python" ] || "${CHAFF_PYTHON:-python3}" -m venv "$home/venv"
      "$home/venv/bin/python" -m pip install --quiet --upgrade pip
      "$home/venv/bin/python" -m pip install --quiet --requirement "$here/bench/python-requirements.txt"
      "$home/venv/bin/python" "$here/bench/rivals/extract.py" --versions
      ;;
    node) npm ci --prefix "$here/bench" ;;
    go) (cd "$here/bench/rivals/go" && go build -o "$home/go-trafilatura" .) ;;
    rust)
      cargo build --quiet --release --locked --manifest-path "$here/bench/rivals/rust/Cargo.toml" --target-dir "$home/target"
      ;;
    *) echo "expected python, node, go or rust, not \"$kind\"" >&2 && exit 2 ;;
    esac
  done
}

# the command that reads pages and writes rows; fails where the extractor is not installed
extract() {
  case $1 in
  trafilatura | trafilatura-comments | trafilatura-metadata | readability-lxml | resiliparse | justext)
    timeout "$seconds" "$home/venv/bin/python" "$here/bench/rivals/extract.py" "$1"
    ;;
  defuddle | readability) timeout "$seconds" node "$here/bench/rivals/extract.mjs" "$1" ;;
  go-trafilatura) timeout "$seconds" "$home/go-trafilatura" ;;
  rs-trafilatura | dom_smoothie) timeout "$seconds" "$home/target/release/chaff-rivals" "$1" ;;
  *) echo "there is no extractor \"$1\"" >&2 && return 2 ;;
  esac
}

run() {
  folder=$1
  shift
  for archive in "$@"; do
    name=$(basename "$archive" .warc.gz)
    mkdir -p "$folder/$name"
    pages=$folder/$name/pages
    for rival in $rivals; do
      rows=$folder/$name/$rival.jsonl
      [ ! -e "$rows" ] || continue
      [ -e "$pages" ] || (cd "$here" && npx tsx bench/rivals/pages.ts "$archive" >"$pages.part" && mv "$pages.part" "$pages")
      if extract "$rival" <"$pages" >"$rows.html" && (cd "$here" && npx tsx bench/rivals/to-text.ts) <"$rows.html" >"$rows.part"; then
        mv "$rows.part" "$rows"
        echo "$name $rival: $(wc -l <"$rows") pages" >&2
      else
        echo "$name $rival: failed or not installed" >&2
      fi
      rm -f "$rows.html" "$rows.part"
    done
    rm -f "$pages"
  done
}

verb=${1:-}
[ $# -eq 0 ] || shift
case $verb in
install)
  [ $# -gt 0 ] || set -- python node go rust
  install "$@"
  ;;
run)
  [ $# -ge 2 ] || { echo "usage: scripts/rivals.sh run FOLDER ARCHIVE.warc.gz …" >&2 && exit 2; }
  run "$@"
  ;;
*) sed -n '2,11s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac
