/* CUDD 3.0.0. */
#include <stdio.h>
#include <stdlib.h>
#include <config.h>
#include <cuddInt.h>

typedef DdNode *Function;

static DdManager *m;

/* CUDD's tables grow by themselves; the cache begins with one entry per initial node, and
 * may grow to the size that CUDD chooses for the memory of the machine. */
static void start(long vars, long nodes) {
	if (!nodes) nodes = vars < 100 ? 1 << 14 : vars < 121 ? 1 << 17 : vars < 144 ? 1 << 19 : 1 << 21;
	long slots = nodes / vars;
	m = Cudd_Init(vars, 0, slots < 256 ? 256 : slots, nodes, 0);
	if (!m) {
		fprintf(stderr, "Cudd_Init: out of memory\n");
		exit(1);
	}
}

static Function keep(Function f) {
	if (!f) {
		fprintf(stderr, "CUDD: out of memory\n");
		exit(1);
	}
	Cudd_Ref(f);
	return f;
}
static Function constant(int value) { return keep(value ? Cudd_ReadOne(m) : Cudd_ReadLogicZero(m)); }
static Function literal(int level, int positive) { return keep(Cudd_NotCond(Cudd_bddIthVar(m, level), !positive)); }
static Function conjunction(Function f, Function g) { return keep(Cudd_bddAnd(m, f, g)); }
static Function disjunction(Function f, Function g) { return keep(Cudd_bddOr(m, f, g)); }
static Function node(int level, Function low, Function high) { return keep(Cudd_bddIte(m, Cudd_bddIthVar(m, level), high, low)); }
static void release(Function f) { Cudd_RecursiveDeref(m, f); }
static void watch(void) {}

static const char *name(void) { return "CUDD " PACKAGE_VERSION; }

/* A node reached by both complemented and regular edges is two nodes of the plain diagram. */
static long visit(DdNode *f, st_table *seen) {
	if (Cudd_IsConstant(f) || st_is_member(seen, f)) return 0;
	st_insert(seen, f, NULL);
	DdNode *of = Cudd_Regular(f);
	int c = Cudd_IsComplement(f);
	return 1 + visit(Cudd_NotCond(cuddT(of), c), seen) + visit(Cudd_NotCond(cuddE(of), c), seen);
}
static long nodes(Function f) { return visit(f, st_init_table(st_ptrcmp, st_ptrhash)); }
static long peak_nodes(void) { return Cudd_ReadPeakNodeCount(m); }
static const char *solutions(Function f) {
	int digits;
	DdApaNumber count = Cudd_ApaCountMinterm(m, f, Cudd_ReadSize(m), &digits);
	return Cudd_ApaStringDecimal(digits, count);
}

#include "engine.h"

int main(int argc, char **argv) {
	if (argc < 2) fail("usage", "ENGINE FILE [NODES]");
	return carry_out(argv[1], argc > 2 ? atol(argv[2]) : 0);
}
