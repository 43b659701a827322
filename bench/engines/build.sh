#!/bin/sh
# Builds the drivers of the diagram packages that are there, into the folder named, and
# says which are missing. Debian: gcc g++ libbdd-dev. CUDD and TDZDD name folders with the
# sources of those packages, CUDD's after its own ./configure && make: see cudd.c, tdzdd.cc.
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
		echo "left out $name: see $out/$name.log"
	fi
}
build buddy cc -O3 -o "$out/buddy" "$here/buddy.c" -lbdd
build rudd go build -C "$here/rudd" -tags buddy -o "$out/rudd" .
if [ -n "${CUDD:-}" ]; then
	build cudd cc -O3 -I"$CUDD" -I"$CUDD/cudd" -I"$CUDD/st" -I"$CUDD/mtr" -I"$CUDD/epd" -o "$out/cudd" \
		"$here/cudd.c" "$CUDD/cudd/.libs/libcudd.a" -lm
else
	echo "left out cudd: CUDD=FOLDER names its sources"
fi
if [ -n "${TDZDD:-}" ]; then
	version=$(git -C "$TDZDD" rev-parse --short=7 HEAD 2>/dev/null) || version=0
	build tdzdd c++ -O3 -DNDEBUG -I"$TDZDD/include" -DTDZDD_VERSION="\"$version\"" -o "$out/tdzdd" "$here/tdzdd.cc"
else
	echo "left out tdzdd: TDZDD=FOLDER names its sources"
fi
