#!/bin/sh
# Compiles our drivers of diagram packages against installed libraries, into the given folder, and reports
# which are missing. PREFIX is a folder with libraries beside the system's, as their installation leaves it:
# include, lib, lib/pkgconfig, share/java. Debian: gcc g++ libbdd-dev default-jdk-headless.
set -u
here=$(cd "$(dirname "$0")" && pwd)
case ${1:?usage: build.sh FOLDER [PREFIX]} in /*) out=$1 ;; *) out=$PWD/$1 ;; esac
prefix=${2:-/usr/local}
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
version() { # PACKAGE, or the variable PACKAGE_VERSION if it does not tell pkg-config
	eval "given=\${$(echo "$1" | tr a-z A-Z)_VERSION:-}"
	[ -n "$given" ] && echo "$given" ||
		PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --modversion "$1" 2>/dev/null || echo "of an unknown version"
}
built_with() { # COMPILER: defines BUILT, what a driver says it was built with
	echo "-DBUILT=\"$("$1" --version | head -1)\""
}
cxx() { # NAME SOURCE OPTIONS...
	name=$1 source=$2
	shift 2
	build "$name" c++ "$(built_with c++)" -std=c++17 -O3 -DNDEBUG -I"$prefix/include" -L"$prefix/lib" -o "$out/$name" "$here/$source" "$@" -lpthread
}
javabdd() {
	jar=$(ls "$prefix"/share/java/*javabdd*.jar 2>/dev/null | head -1)
	[ -n "$jar" ] || { echo "no javabdd jar in $prefix/share/java" >&2 && return 1; }
	mkdir -p "$out/javabdd.classes" && javac -nowarn -cp "$jar" -d "$out/javabdd.classes" "$here/JavaBDD.java" &&
		cat >"$out/javabdd" <<-END && chmod +x "$out/javabdd"
			#!/bin/sh
			exec java -XX:+UseSerialGC -cp "$jar:\${0%/*}/javabdd.classes" JavaBDD "$(version javabdd)" "\$@"
		END
}
build buddy cc "$(built_with cc)" -O3 -I"$prefix/include" -L"$prefix/lib" -o "$out/buddy" "$here/buddy.c" -lbdd
build rudd go build -C "$here/rudd" -tags buddy -o "$out/rudd" .
# its internal headers, such as cuddInt.h, are beside the installed ones, or in include/cudd
build cudd cc "$(built_with cc)" -O3 -I"$prefix/include" -I"$prefix/include/cudd" -L"$prefix/lib" -o "$out/cudd" "$here/cudd.c" -lcudd -lm
cxx tdzdd tdzdd.cc -DTDZDD_VERSION="\"$(version tdzdd)\""
cxx tdzdd-queens tdzdd.cc -DTDZDD_VERSION="\"$(version tdzdd)\"" -DQUEENS # with NQueenZdd.hpp of its examples in include
cxx sylvan sylvan.cc -DSYLVAN_VERSION="\"$(version sylvan)\"" -lsylvan -llace
cxx adiar adiar.cc -DADIAR_VERSION="\"$(version adiar)\"" -ladiar -ltpie
build javabdd javabdd
