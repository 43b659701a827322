#!/bin/sh
# Builds a bridge for each installed solver library into the given folder, and reports
# which are missing. Debian: g++ minisat libcadical-dev libcryptominisat5-dev picosat.
set -u
here=$(dirname "$0")
out=${1:?usage: build.sh FOLDER}
mkdir -p "$out"
for solver in minisat:minisat cadical:cadical cryptominisat:cryptominisat5 picosat:picosat; do
	name=${solver%:*}
	if c++ -O2 -o "$out/queens-sat-$name" "$here/$name.cc" "-l${solver#*:}" 2>"$out/$name.log"; then
		echo "built $out/queens-sat-$name"
		rm "$out/$name.log"
	else
		echo "skipped $name: see $out/$name.log"
	fi
done
