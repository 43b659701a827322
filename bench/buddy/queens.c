/* N-queens with BuDDy (Debian: libbdd-dev), by the constructions of
 * backends/bdd: the same cubes, the same operations, in the same sequence.
 *
 *   queens bdd-benchmark|row-wise N NODES
 *
 * Variables are in row-major order; the node table begins with NODES nodes. Prints one
 * line: nodes, solutions, CPU seconds of the construction, and the peak of resident memory
 * in KiB, as measured by the process itself. */
#include <bdd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static int n;

static double cpu(void) {
	struct rusage r;
	getrusage(RUSAGE_SELF, &r);
	return r.ru_utime.tv_sec + r.ru_stime.tv_sec + 1e-6 * (r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

static long peak(void) {
	char line[256];
	long kib = 0;
	FILE *f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, "VmHWM:", 6)) kib = atol(line + 6);
	if (f) fclose(f);
	return kib;
}

static int attacks(int r, int c, int r2, int c2) {
	return !(r == r2 && c == c2) && (r == r2 || c == c2 || r - c == r2 - c2 || r + c == r2 + c2);
}

/* A queen on (r,c), and no queen on cells that it attacks, from row `from` down. */
static BDD cube(int r, int c, int from) {
	BDD f = bdd_addref(bddtrue);
	for (int v = n * n - 1; v >= from * n; v--) {
		BDD g;
		if (v == r * n + c) g = bdd_and(bdd_ithvar(v), f);
		else if (attacks(r, c, v / n, v % n)) g = bdd_and(bdd_nithvar(v), f);
		else continue;
		bdd_addref(g);
		bdd_delref(f);
		f = g;
	}
	return f;
}

/* *f op= g, releasing g. */
static void fold(BDD *f, BDD g, int op) {
	BDD h = bdd_addref(bdd_apply(*f, g, op));
	bdd_delref(*f);
	bdd_delref(g);
	*f = h;
}

static BDD benchmark(void) {
	BDD all = bdd_addref(bddtrue);
	for (int r = 0; r < n; r++) {
		BDD row = bdd_addref(bddfalse);
		for (int c = 0; c < n; c++) fold(&row, cube(r, c, 0), bddop_or);
		fold(&all, row, bddop_and);
	}
	return all;
}

static BDD row_wise(void) {
	BDD below = bdd_addref(bddtrue);
	for (int r = n - 1; r >= 0; r--) {
		BDD f = bdd_addref(bddfalse);
		for (int c = 0; c < n; c++) {
			BDD g = cube(r, c, r);
			bdd_addref(below);
			fold(&g, below, bddop_and);
			fold(&f, g, bddop_or);
		}
		bdd_delref(below);
		below = f;
	}
	return below;
}

int main(int argc, char **argv) {
	int nodes;
	if (argc != 4 || (n = atoi(argv[2])) < 1 || (nodes = atoi(argv[3])) < 1) {
		fprintf(stderr, "usage: queens bdd-benchmark|row-wise N NODES\n");
		return 2;
	}
	/* The cache has a quarter of the nodes, as BuDDy's manual suggests, and keeps that
	 * ratio. The table may double. */
	bdd_init(nodes, nodes / 4 < 1000 ? 1000 : nodes / 4);
	bdd_setvarnum(n * n);
	bdd_setcacheratio(4);
	bdd_setmaxincrease(1 << 23);
	bdd_gbc_hook(NULL);
	double start = cpu();
	BDD f = strcmp(argv[1], "row-wise") ? benchmark() : row_wise();
	double seconds = cpu() - start;
	printf("{\"nodes\": %d, \"solutions\": \"%.0f\", \"seconds\": %.6f, \"peak_kib\": %ld}\n",
	       bdd_nodecount(f), bdd_satcount(f), seconds, peak());
	return 0;
}
