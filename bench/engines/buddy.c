/* BuDDy (Debian: libbdd-dev): cc -O3 -o buddy buddy.c -lbdd */
#include <bdd.h>
#include <stdio.h>
#include <string.h>

typedef BDD Function;

static long most;

/* A table of 2^14 to 2^22 nodes, whichever is fastest for the number of variables; the
 * cache has a quarter of the nodes, as BuDDy's manual suggests, and keeps that ratio. */
static void start(long vars, long nodes) {
	if (!nodes) nodes = vars < 100 ? 1 << 14 : vars < 121 ? 1 << 17 : vars < 144 ? 1 << 19 : 1 << 21;
	bdd_init(nodes, nodes / 4);
	bdd_setvarnum(vars);
	bdd_setcacheratio(4);
	bdd_setmaxincrease(1 << 23);
	bdd_gbc_hook(NULL);
}

static Function constant(int value) { return value ? bddtrue : bddfalse; }
static Function literal(int level, int positive) { return bdd_addref(positive ? bdd_ithvar(level) : bdd_nithvar(level)); }
static Function conjunction(Function f, Function g) { return bdd_addref(bdd_and(f, g)); }
static Function disjunction(Function f, Function g) { return bdd_addref(bdd_or(f, g)); }
static Function node(int level, Function low, Function high) { return bdd_addref(bdd_ite(bdd_ithvar(level), high, low)); }
static void release(Function f) { bdd_delref(f); }
static void watch(void) { if (bdd_getnodenum() > most) most = bdd_getnodenum(); }

static const char *name(void) {
	static char text[64];
	snprintf(text, sizeof text, "BuDDy %d.%d", bdd_versionnum() / 10, bdd_versionnum() % 10);
	return text;
}
static long nodes(Function f) { return bdd_nodecount(f); }
static long peak_nodes(void) { return most; }
static const char *solutions(Function f) {
	static char text[400];
	snprintf(text, sizeof text, "%.0f", bdd_satcount(f)); /* exact up to 2^53 */
	return text;
}

#include "engine.h"

int main(int argc, char **argv) {
	if (argc < 2) fail("usage", "ENGINE FILE [NODES]");
	return carry_out(argv[1], argc > 2 ? atol(argv[2]) : 0);
}
