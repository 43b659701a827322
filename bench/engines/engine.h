/* Code shared by the drivers of packages that work by operations. The program
 *
 *   ENGINE FILE [NODES]
 *
 * reads a construction's operations (docs/do/package.md), carries them out with the
 * functions that the driver defines above the place where it includes this, and prints
 * one line of JSON. The package's table begins with NODES nodes, or with a size that suits
 * the number of variables. Levels count from 0 at the top. The caller owns every function
 * that is returned, and releases it. */
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

/* Reads literals up to 0 and combines them, starting with the lowest level. */
static Function combine(char *at, Function (*with)(Function, Function), int unit) {
	Function f = constant(unit);
	for (char *end;; at = end) {
		long l = strtol(at, &end, 10);
		if (end == at) fail("no 0 at the end of a line", at);
		if (l == 0) return f;
		Function one = literal(level_of[labs(l)], l > 0), g = with(f, one);
		release(one);
		release(f);
		f = g;
	}
}

int main(int argc, char **argv) {
	static char line[1 << 20];
	Function *made = NULL, result;
	long vars = 0, operations = 0, last = 1, v, a, b;
	int levels = 0, *order = NULL, capacity = 0;
	FILE *in = argc > 1 ? fopen(argv[1], "r") : NULL;
	double begun = 0;
	if (!in) fail("usage", "ENGINE FILE [NODES]");
	while (fgets(line, sizeof line, in)) {
		char *rest = line + strcspn(line, " \n");
		if (!strncmp(line, "c ", 2)) {
			if (levels == capacity) order = realloc(order, (capacity = 2 * capacity + 64) * sizeof *order);
			order[levels++] = atoi(rest);
			continue;
		}
		if (!strncmp(line, "p ops ", 6)) {
			if (sscanf(line + 6, "%ld %ld", &vars, &operations) != 2 || vars != levels) fail("unexpected", line);
			level_of = calloc(vars + 1, sizeof *level_of);
			for (int i = 0; i < levels; i++) level_of[order[i]] = i;
			made = calloc(operations + 2, sizeof *made);
			start(vars, argc > 2 ? atol(argv[2]) : 0);
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
		if (!strncmp(line, "cube ", 5)) result = combine(rest, conjunction, 1);
		else if (!strncmp(line, "clause ", 7)) result = combine(rest, disjunction, 0);
		else if (sscanf(line, "and %ld %ld", &a, &b) == 2) result = conjunction(made[a], made[b]);
		else if (sscanf(line, "or %ld %ld", &a, &b) == 2) result = disjunction(made[a], made[b]);
		else if (sscanf(line, "node %ld %ld %ld", &v, &a, &b) == 3) result = node(level_of[v], made[a], made[b]);
		else fail("unknown operation", line);
		made[++last] = result;
		watch();
	}
	if (!made || last < 2) fail("no operations", argv[1]);
	double seconds = now() - begun;
	printf("{\"engine\": \"%s\", \"nodes\": %ld, \"peak_nodes\": %ld, \"solutions\": \"%s\", \"bytes\": %ld, \"build_seconds\": %.6f}\n",
	       name(), nodes(made[last]), peak_nodes(), solutions(made[last]), peak_bytes(), seconds);
	return 0;
}
