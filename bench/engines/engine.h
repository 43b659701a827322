/* Code shared by the drivers of packages that work by operations, in C and in C++. Their
 * main calls carry_out with the name of a file and the number of nodes with which the
 * package's table begins, or 0 for a size that suits the number of variables. It reads a
 * construction's operations (docs/do/package.md), carries them out with the functions that
 * the driver defines above the place where it includes this, and prints one line of JSON.
 * Levels count from 0 at the top. The caller owns every function that is returned, and
 * releases it. peak_nodes returns 0 where the package does not tell. A driver that defines
 * COMBINES has a function of its own that combines literals. build.sh defines BUILT. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void fail(const char *what, const char *line) {
	fprintf(stderr, "%s: %s\n", what, line);
	exit(2);
}

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Peak resident memory of this process, in bytes. */
static long peak_bytes(void) {
	char line[256];
	long kib = 0;
	FILE *f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, "VmHWM:", 6)) kib = atol(line + 6);
	if (f) fclose(f);
	return kib * 1024;
}

static int *level_of; /* by variable */

#ifndef COMBINES
/* The conjunction or the disjunction of literals, the lowest level first. */
static Function combine(int conjoined, const int *levels, const int *positive, int literals) {
	Function f = constant(conjoined);
	for (int i = 0; i < literals; i++) {
		Function one = literal(levels[i], positive[i]);
		Function g = conjoined ? conjunction(f, one) : disjunction(f, one);
		release(one);
		release(f);
		f = g;
	}
	return f;
}
#endif

/* Reads literals up to 0 and combines them. */
static Function read_literals(char *at, int conjoined, int vars) {
	static int *levels, *positive;
	if (!levels) levels = (int *)calloc(2 * vars, sizeof *levels), positive = levels + vars;
	for (int literals = 0;; literals++) {
		char *end;
		long l = strtol(at, &end, 10);
		if (end == at) fail("no 0 at the end of a line", at);
		if (l == 0) return combine(conjoined, levels, positive, literals);
		if (literals == vars) fail("more literals than variables before", at);
		levels[literals] = level_of[labs(l)];
		positive[literals] = l > 0;
		at = end;
	}
}

static int carry_out(const char *file, long table) {
	static char line[1 << 20];
	Function *made = NULL, result;
	long vars = 0, operations = 0, last = 1, v, a, b;
	int levels = 0, *order = NULL, capacity = 0;
	FILE *in = fopen(file, "r");
	double begun = 0;
	if (!in) fail("cannot open", file);
	while (fgets(line, sizeof line, in)) {
		char *rest = line + strcspn(line, " \n");
		if (!strncmp(line, "c ", 2)) {
			if (levels == capacity) order = (int *)realloc(order, (capacity = 2 * capacity + 64) * sizeof *order);
			order[levels++] = atoi(rest);
			continue;
		}
		if (!strncmp(line, "p ops ", 6)) {
			if (sscanf(line + 6, "%ld %ld", &vars, &operations) != 2 || vars != levels) fail("unexpected", line);
			level_of = (int *)calloc(vars + 1, sizeof *level_of);
			for (int i = 0; i < levels; i++) level_of[order[i]] = i;
			made = (Function *)calloc(operations + 2, sizeof *made);
			start(vars, table);
			begun = now();
			made[0] = constant(0);
			made[1] = constant(1);
			continue;
		}
		if (!made) fail("expected p ops VARIABLES OPERATIONS before", line);
		if (sscanf(line, "free %ld", &a) == 1) {
			release(made[a]);
			continue;
		}
		if (last == operations + 1) fail("more operations than announced", line);
		if (!strncmp(line, "cube ", 5)) result = read_literals(rest, 1, vars);
		else if (!strncmp(line, "clause ", 7)) result = read_literals(rest, 0, vars);
		else if (sscanf(line, "and %ld %ld", &a, &b) == 2) result = conjunction(made[a], made[b]);
		else if (sscanf(line, "or %ld %ld", &a, &b) == 2) result = disjunction(made[a], made[b]);
		else if (sscanf(line, "node %ld %ld %ld", &v, &a, &b) == 3) result = node(level_of[v], made[a], made[b]);
		else fail("unknown operation", line);
		made[++last] = result;
		watch();
	}
	if (!made || last < 2) fail("no operations", file);
	double seconds = now() - begun;
	printf("{\"engine\": \"%s, built with " BUILT "\", \"nodes\": %ld, ", name(), nodes(made[last]));
	if (peak_nodes()) printf("\"peak_nodes\": %ld, ", peak_nodes());
	printf("\"solutions\": \"%s\", \"bytes\": %ld, \"build_seconds\": %.6f}\n", solutions(made[last]), peak_bytes(), seconds);
	return 0;
}
