/* Adiar 2.1, which sorts streams of nodes, and has neither a table nor a cache. */
#include <cstdio>
#include <unistd.h>
#include <vector>
#include <adiar/adiar.h>

typedef adiar::bdd *Function;

static long variables;

static void start(long vars, long) { variables = vars; }

static Function constant(int value) { return new adiar::bdd(adiar::bdd_terminal(value)); }
static Function literal(int level, int positive) { return new adiar::bdd(positive ? adiar::bdd_ithvar(level) : adiar::bdd_nithvar(level)); }
static Function conjunction(Function f, Function g) { return new adiar::bdd(adiar::bdd_and(*f, *g)); }
static Function disjunction(Function f, Function g) { return new adiar::bdd(adiar::bdd_or(*f, *g)); }
static Function node(int level, Function low, Function high) { return new adiar::bdd(adiar::bdd_ite(adiar::bdd_ithvar(level), *high, *low)); }
/* One sweep, where the functions above take one for each literal. */
#define COMBINES
static Function combine(int conjoined, const int *levels, const int *positive, int literals) {
	std::vector<adiar::pair<adiar::bdd::label_type, bool>> all;
	for (int i = 0; i < literals; i++) all.emplace_back(levels[i], positive[i]);
	return new adiar::bdd(conjoined ? adiar::bdd_and(all.begin(), all.end()) : adiar::bdd_or(all.begin(), all.end()));
}
static void release(Function f) { delete f; }
static void watch() {}
static const char *name() { return "Adiar " ADIAR_VERSION; }
static long nodes(Function f) { return adiar::bdd_nodecount(*f); }
static long peak_nodes() { return 0; }
static const char *solutions(Function f) {
	static char text[32];
	snprintf(text, sizeof text, "%lu", (unsigned long)adiar::bdd_satcount(*f, variables));
	return text;
}

#include "engine.h"

int main(int argc, char **argv) {
	if (argc < 2) fail("usage", "adiar FILE");
	adiar::adiar_init(size_t(512) << 20);
	carry_out(argv[1], 0);
	fflush(stdout);
	_exit(0); /* the functions that are left would outlive Adiar */
}
