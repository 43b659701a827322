#!/usr/bin/env bash
# Clicks of many sessions against a server that this script starts (Debian: wrk, curl): no
# click may fail, and nothing may be left behind. Prints percentiles,
# memory, threads and open files. SECONDS_EACH is the length of each run (default 20).
set -euo pipefail
cd "$(dirname "$0")/../../.."
for tool in wrk curl; do
	command -v $tool >/dev/null || { echo "$tool is not installed: apt-get install $tool"; exit 1; }
done
mkdir -p bin
go build -o bin/harness ./cmd/harness
each=${SECONDS_EACH:-20}
log=$(mktemp)
bin/harness serve --addr 127.0.0.1:0 >"$log" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true; rm -f "$log"' EXIT
for _ in $(seq 100); do grep -q http "$log" && break; sleep .1; done
url=$(grep -o 'http://[^/ ]*' "$log")

report() { echo "   memory $(($(ps -o rss= -p $server) >> 10)) MiB, $(ps -o nlwp= -p $server) threads, $(ls /proc/$server/fd | wc -l) files, CPU $(ps -o time= -p $server)"; }
click() { # N BACKEND CONNECTIONS
	echo "== n = $1, ${2:-best for n}, $3 at a time"
	N=$1 BACKEND=$2 wrk -t$(($3 < 2 ? 1 : 2)) -c"$3" -d"${each}s" -s ui/web/load/clicks.lua "$url" | grep clicks
	report
}
report
click 8 "" 16
click 8 "" 64
click 12 bdd 1
click 20 "" 8
click 200 portfolio 1
click 8 "" 16 # the same as the first, to see what was left behind
