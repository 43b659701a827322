#!/bin/sh
# Builds the drivers of the diagram packages into the given folder, and reports which are
# missing. Debian: gcc g++ libbdd-dev default-jdk-headless. SOURCES is the folder into which
# fetch.sh put the other packages.
set -u
here=$(cd "$(dirname "$0")" && pwd)
case ${1:?usage: build.sh FOLDER [SOURCES]} in /*) out=$1 ;; *) out=$PWD/$1 ;; esac
sources=${2:-/nowhere}
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
have() { # PACKAGE: its sources are there
	from=$sources/$1
	[ -d "$from" ] || echo "skipped $1: fetch.sh gets its sources"
	[ -d "$from" ]
}
version() { git -C "$from" describe --tags --always 2>/dev/null || echo 0; }
javabdd() {
	mkdir -p "$out/javabdd.classes" &&
		javac -nowarn -d "$out/javabdd.classes" "$from"/src/main/java/com/github/javabdd/*.java "$here/JavaBDD.java" &&
		cat >"$out/javabdd" <<-END && chmod +x "$out/javabdd"
			#!/bin/sh
			exec java -XX:+UseSerialGC -cp "\${0%/*}/javabdd.classes" JavaBDD $(version) "\$@"
		END
}
if have cudd; then
	build cudd cc -O3 -I"$from" -I"$from/cudd" -I"$from/st" -I"$from/mtr" -I"$from/epd" -o "$out/cudd" \
		"$here/cudd.c" "$from/cudd/.libs/libcudd.a" -lm
fi
if have tdzdd; then
	set -- c++ -O3 -DNDEBUG -I"$from/include" -DTDZDD_VERSION="\"$(version)\"" "$here/tdzdd.cc"
	build tdzdd "$@" -o "$out/tdzdd"
	build tdzdd-queens "$@" -I"$from/apps/ddqueens" -DQUEENS -o "$out/tdzdd-queens"
fi
if have sylvan; then
	build sylvan c++ -O3 -I"$from/installed/include" -DSYLVAN_VERSION="\"$(version)\"" -o "$out/sylvan" \
		"$here/sylvan.cc" -L"$from/installed/lib" -lsylvan -llace -lpthread
fi
if have adiar; then
	build adiar c++ -std=c++17 -O3 -DNDEBUG -I"$from/src" -I"$from/build/src" -I"$from/external/tpie" \
		-I"$from/build/tpie" -I"$from/external/cnl/include" -DADIAR_VERSION="\"$(version)\"" -o "$out/adiar" \
		"$here/adiar.cc" "$from/build/src/adiar/libadiar.a" "$from/build/tpie/tpie/libtpie.a" -lpthread
fi
if have javabdd; then
	build javabdd javabdd
fi
