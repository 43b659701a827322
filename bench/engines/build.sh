#!/bin/sh
# Builds the drivers of the installed diagram packages into the given folder, and reports
# which are missing. Debian: gcc g++ libbdd-dev. CUDD and TDZDD are folders with the sources
# of those packages; build CUDD by its own ./configure && make first: see cudd.c, tdzdd.cc.
set -u
here=$(cd "$(dirname "$0")" && pwd)
case ${1:?usage: build.sh FOLDER} in /*) out=$1 ;; *) out=$PWD/$1 ;; esac
mkdir -p "$out"
build() { # NAME COMMAND...
	name=$1
	shift
	if "$@" 2>"$out/$name.log"; then
		echo "built $out/$name"
		rm "$out/$name.log"
	else
		echo "skipped $name: see $out/$name.log"
	fi
}
build buddy cc -O3 -o "$out/buddy" "$here/buddy.c" -lbdd
build rudd go build -C "$here/rudd" -tags buddy -o "$out/rudd" .
if [ -n "${CUDD:-}" ]; then
	build cudd cc -O3 -I"$CUDD" -I"$CUDD/cudd" -I"$CUDD/st" -I"$CUDD/mtr" -I"$CUDD/epd" -o "$out/cudd" \
		"$here/cudd.c" "$CUDD/cudd/.libs/libcudd.a" -lm
else
	echo "skipped cudd: set CUDD to the folder of its sources"
fi
if [ -n "${TDZDD:-}" ]; then
	version=$(git -C "$TDZDD" rev-parse --short=7 HEAD 2>/dev/null) || version=0
	set -- c++ -O3 -DNDEBUG -I"$TDZDD/include" -DTDZDD_VERSION="\"$version\"" "$here/tdzdd.cc"
	build tdzdd "$@" -o "$out/tdzdd"
	build tdzdd-queens "$@" -I"$TDZDD/apps/ddqueens" -DQUEENS -o "$out/tdzdd-queens"
else
	echo "skipped tdzdd, tdzdd-queens: set TDZDD to the folder of its sources"
fi
