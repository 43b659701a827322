#!/usr/bin/env bash
# Clicks of many sessions against a server that this script starts (Debian: wrk, curl): no
# click may fail, and nothing may be left behind. Prints what docs/configurator.md
# quotes. SECONDS_EACH is the length of each run (default 20).
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

metric() { curl -s "$url/metrics" | awk -v name="$1" '$1 == name { printf "%d", $2 }'; }
report() { echo "   memory $(($(metric process_resident_memory_bytes) >> 20)) MiB, $(metric go_goroutines) goroutines, $(metric process_open_fds) files, CPU $(metric process_cpu_seconds_total) s"; }
click() { # N BACKEND CONNECTIONS: the server's own times, from its histogram
	{ echo none 0; curl -s "$url/metrics" | grep '^queens_request_seconds_.*operation="board"'; } >"$log.before" || true
	echo "== n = $1, ${2:-best for n}, $3 at a time"
	N=$1 BACKEND=$2 wrk -t$(($3 < 2 ? 1 : 2)) -c"$3" -d"${each}s" -s ui/web/load/clicks.lua "$url" | grep clicks
	curl -s "$url/metrics" | grep '^queens_request_seconds_.*operation="board"' >"$log.after"
	awk 'FNR == NR { before[$1] = $2; next } match($1, /le="[^"]*"/) { le = substr($1, RSTART + 4, RLENGTH - 5); n[le] = $2 - before[$1]; if (le == "+Inf") all = n[le] }
		END { printf "   on the server: %.2f %% within 16 ms, %.2f %% within 50 ms\n", 100 * n["0.016"] / all, 100 * n["0.05"] / all }' "$log.before" "$log.after"
	rm -f "$log.before" "$log.after"
	report
}
report
click 8 "" 16
click 8 "" 64
click 12 bdd 1
click 200 portfolio 1
click 8 "" 16 # the same as the first, to see what was left behind
