#!/bin/sh
# Fetches the sources of the diagram packages that have drivers here into the given folder,
# and compiles those that need it. Debian: git gcc g++ cmake make libboost-dev.
set -eu
folder=${1:?usage: fetch.sh FOLDER}
mkdir -p "$folder"
cd "$folder"
get() { # NAME REPOSITORY OPTIONS...
	name=$1
	from=https://github.com/$2
	shift 2
	[ -d "$name" ] || git -c advice.detachedHead=false clone "$@" "$from" "$name"
}
get cudd ivmai/cudd
(cd cudd && touch aclocal.m4 && sleep 1 && touch Makefile.in config.h.in configure &&
	./configure CFLAGS="-O3 -DNDEBUG" && make)
get tdzdd kunisura/TdZdd
get sylvan trolando/sylvan --branch v1.8.1 # fetches its scheduler, Lace
(cd sylvan && cmake -B build -DCMAKE_BUILD_TYPE=Release -DSYLVAN_BUILD_TESTS=OFF -DSYLVAN_BUILD_EXAMPLES=OFF &&
	cmake --build build && cmake --install build --prefix installed)
get adiar SSoelvsten/adiar --branch v2.1.0
(cd adiar && git submodule update --init external/tpie external/cnl &&
	cmake -B build -DCMAKE_BUILD_TYPE=Release -DADIAR_DOCS=OFF -DADIAR_TEST=OFF -DADIAR_EXAMPLES=OFF &&
	cmake --build build)
get javabdd com-github-javabdd/com.github.javabdd
