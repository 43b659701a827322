/* Sylvan 1.8 with its scheduler Lace.
 * sylvan FILE WORKERS [NODES]: with 0 workers, as many as there are processors. */
#include <cstdio>
#include <unordered_set>
#include <sylvan.h>

using namespace sylvan;
typedef BDD Function;

static long variables;

/* Tables grow when they are collected; the cache has as many entries as the table. */
static void start(long vars, long nodes) {
	variables = vars;
	if (!nodes) nodes = vars < 100 ? 1 << 14 : 1 << 18;
	sylvan_set_sizes(nodes, 1 << 26, nodes, 1 << 24);
	sylvan_init_package();
	sylvan_init_bdd();
}

static Function constant(int value) { return value ? sylvan_true : sylvan_false; }
static Function literal(int level, int positive) { return sylvan_ref(positive ? sylvan_ithvar(level) : sylvan_nithvar(level)); }
static Function conjunction(Function f, Function g) { return sylvan_ref(sylvan_and(f, g)); }
static Function disjunction(Function f, Function g) { return sylvan_ref(sylvan_or(f, g)); }
static Function node(int level, Function low, Function high) { return sylvan_ref(sylvan_ite(sylvan_ithvar(level), high, low)); }
static void release(Function f) { sylvan_deref(f); }
static void watch() {}

static const char *name() { return "Sylvan " SYLVAN_VERSION; }

/* A node reached by both complemented and regular edges is two nodes of the plain diagram. */
static void visit(BDD f, std::unordered_set<BDD> &seen) {
	if (sylvan_isconst(f) || !seen.insert(f).second) return;
	visit(sylvan_low(f), seen);
	visit(sylvan_high(f), seen);
}
static long nodes(Function f) {
	std::unordered_set<BDD> seen;
	visit(f, seen);
	return seen.size();
}
static long peak_nodes() { return 0; }
static const char *solutions(Function f) {
	static char text[400];
	BDDSET all = sylvan_ref(sylvan_true);
	for (long level = variables; level-- > 0;) all = sylvan_ref(sylvan_set_add(all, level));
	snprintf(text, sizeof text, "%.0f", sylvan_satcount(f, all)); /* exact up to 2^53 */
	return text;
}

#include "engine.h"

/* Operations are called from one of the workers, which saves a hand-over for each. */
VOID_TASK_2(work, const char *, file, long, table) { carry_out(file, table); }

int main(int argc, char **argv) {
	if (argc < 3) fail("usage", "sylvan FILE WORKERS [NODES]");
	lace_start(atoi(argv[2]), 0);
	RUN(work, argv[1], argc > 3 ? atol(argv[3]) : 0);
	sylvan_quit();
	lace_stop();
	return 0;
}
