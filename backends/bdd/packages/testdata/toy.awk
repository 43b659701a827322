# A diagram package in twenty lines, for up to 16 variables: it makes the truth table.
# Its nodes are, level by level, the distinct parts of the table whose two halves differ.
$1 == "c" { level[$2] = vars++ }
$1 != "c" && $1 != "p" { clause[++clauses] = $0 }
END {
	for (row = 0; row < 2 ^ vars; row++) {
		holds = 1
		for (c = 1; c <= clauses && holds; c++) {
			n = split(clause[c], lit, " ")
			for (holds = 0; --n > 0 && !holds;)
				holds = int(row / 2 ^ (vars - 1 - level[lit[n] < 0 ? -lit[n] : lit[n]])) % 2 == (lit[n] > 0)
		}
		table = table holds; solutions += holds
	}
	for (parts[table]; vars-- > 0; ) {
		for (part in parts) {
			low = substr(part, 1, 2 ^ vars); high = substr(part, 2 ^ vars + 1)
			nodes += low != high; below[low]; below[high]
		}
		split("", parts); for (part in below) parts[part]; split("", below)
	}
	printf "{\"engine\": \"toy 1.0\", \"nodes\": %d, \"solutions\": \"%d\", \"build_seconds\": 0}\n", nodes, solutions
}
