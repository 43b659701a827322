#!/bin/sh
# A SAT solver in twenty lines: it counts through the assignments in binary, with variable 1
# as the lowest bit, and skips those that agree on all variables of the clause that fails.
echo "solver toy 1.0"
while read -r word rest; do
	case $word in
	new) vars=$rest clauses= ;;
	add) clauses="$clauses $rest" ;;
	solve)
		units=$(echo "${rest%0}" | sed 's/ / 0 /g') # each assumption as a clause
		echo "$units $clauses" | awk -v vars="$vars" -v assumed="$rest" '{
			do {
				low = vars + 1; held = 0
				for (i = 1; i <= NF && ($i != 0 || held); i++)
					if ($i == 0) { low = vars + 1; held = 0 }
					else { v = $i < 0 ? -$i : $i; if (v < low) low = v; if (x[v] == ($i > 0)) held = 1 }
				if (i > NF) { for (v = 1; v <= vars; v++) if (x[v]) model = model " " v; print "sat" model " 0"; exit }
				for (v = 1; v < low || x[v]; v++) x[v] = 0
				x[v] = 1
			} while (v <= vars)
			print "unsat", assumed
		}' ;;
	esac
done
