#!/usr/bin/env bash
# Makes terminal.png, the picture of a terminal in the README, from what the program says
# (Debian: chromium).
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/harness" ./cmd/harness
{
	echo '<!doctype html><meta charset="utf-8"><style>body{margin:0;background:#16181d}
pre{margin:0;padding:18px 22px;font:15px/1.32 "DejaVu Sans Mono",monospace;color:#d8dbe2}b{color:#7fd1a8}</style><pre>'
	for line in "harness valid -n 8 --place d1,c4" "harness explain -n 8 --place d1,c4,f6 a8" "harness compile -n 12 --order snake" "harness count -n 14"; do
		echo "<b>\$ $line</b>"
		read -ra words <<< "$line"
		"$work/harness" "${words[@]:1}" | fold -s -w 95 | sed 's/&/\&amp;/g; s/</\&lt;/g'
	done
	echo '</pre>'
} > "$work/terminal.html"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=900,"${1:-760}" \
	--screenshot=docs/pictures/terminal.png "file://$work/terminal.html" 2>/dev/null
