/* TdZdd, headers only.
 *
 * It builds top-down from states, one level at a time. It reads a problem as DIMACS with
 * the variable order in comments. Clauses must be positive, "one of these", or have two
 * negative literals, "not both": the state is the variables that can still be true and
 * the clauses that are already satisfied.
 *
 * tdzdd-queens takes of the problem only how many variables there are, and uses the state
 * that TdZdd's own program for the n queens has, in row-major order: the columns that are
 * free in each row. ENGINE FILE bdd|zdd */
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <tdzdd/DdSpec.hpp>
#include <tdzdd/DdStructure.hpp>
#ifdef QUEENS
#include <NQueenZdd.hpp>
#endif

typedef std::vector<uint64_t> Bits;

static void fail(std::string const &what) {
	std::cerr << what << "\n";
	exit(2);
}
static void set(Bits &b, int i) { b[i / 64] |= uint64_t(1) << i % 64; }

/* The formula, its variables numbered from 0 by their place in the order. */
struct Formula {
	std::vector<int> order; /* of variables, by level */
	int vars = 0, words = 0;
	std::vector<Bits> excludes;              /* by variable: itself and what it excludes */
	std::vector<Bits> groups;                /* "one of these" */
	std::vector<std::vector<int>> groupsOf;  /* by variable */
	Bits possible;

	explicit Formula(char const *file) {
		std::ifstream in(file);
		std::vector<int> level;
		std::string line;
		while (std::getline(in, line)) {
			std::istringstream text(line);
			std::string word;
			int v;
			if (line[0] == 'c' && text >> word >> v) {
				order.push_back(v);
			} else if (line[0] == 'p') {
				text >> word >> word >> vars;
				if (vars != int(order.size())) fail("expected the variable order in comments before " + line);
				level.resize(vars + 1);
				for (int i = 0; i < vars; i++) level[order[i]] = i;
				words = (vars + 63) / 64;
				excludes.assign(vars, Bits(words));
				groupsOf.resize(vars);
				possible.resize(words);
				for (int i = 0; i < vars; i++) set(possible, i), set(excludes[i], i);
			} else {
				std::vector<int> lits;
				for (int l; text >> l && l != 0;) lits.push_back(l);
				clause(lits, level, line);
			}
		}
		if (vars == 0) fail("no formula");
	}

	void clause(std::vector<int> const &lits, std::vector<int> const &level, std::string const &line) {
		int negative = std::count_if(lits.begin(), lits.end(), [](int l) { return l < 0; });
		if (negative == 0 && !lits.empty()) {
			Bits group(words);
			for (int l : lits) {
				set(group, level[l]);
				groupsOf[level[l]].push_back(groups.size());
			}
			groups.push_back(group);
		} else if (negative == int(lits.size()) && negative == 2) {
			set(excludes[level[-lits[0]]], level[-lits[1]]);
			set(excludes[level[-lits[1]]], level[-lits[0]]);
		} else if (negative == 1 && lits.size() == 1) {
			int i = level[-lits[0]];
			possible[i / 64] &= ~(uint64_t(1) << i % 64);
		} else {
			fail("a clause that is neither positive nor two negative literals: " + line);
		}
	}
};

/* The state's words: variables that can still be true, then satisfied groups. */
class Models : public tdzdd::PodArrayDdSpec<Models, uint64_t, 2> {
	Formula const &f;

	/* The level of the first variable that can be true, or a verdict on the state. */
	int next(uint64_t const *state) const {
		uint64_t const *holds = state + f.words;
		for (size_t g = 0; g < f.groups.size(); g++) {
			if (holds[g / 64] >> g % 64 & 1) continue;
			uint64_t left = 0;
			for (int w = 0; w < f.words; w++) left |= state[w] & f.groups[g][w];
			if (left == 0) return 0;
		}
		for (int w = 0; w < f.words; w++)
			if (state[w]) return f.vars - (64 * w + __builtin_ctzll(state[w]));
		return -1;
	}

public:
	explicit Models(Formula const &formula) : f(formula) { setArraySize(f.words + (f.groups.size() + 63) / 64); }
	int getRoot(uint64_t *state) const {
		std::fill(state, state + getArraySize(), 0);
		std::copy(f.possible.begin(), f.possible.end(), state);
		return next(state);
	}
	int getChild(uint64_t *state, int level, int value) const {
		int v = f.vars - level;
		if (value) {
			for (int w = 0; w < f.words; w++) state[w] &= ~f.excludes[v][w];
			for (int g : f.groupsOf[v]) state[f.words + g / 64] |= uint64_t(1) << g % 64;
		} else {
			state[v / 64] &= ~(uint64_t(1) << v % 64);
		}
		return next(state);
	}
};

/* Peak resident memory of this process, in bytes. */
static long peak_bytes() {
	std::ifstream in("/proc/self/status");
	std::string word;
	long kib = 0;
	while (in >> word)
		if (word == "VmHWM:") in >> kib;
	return kib * 1024;
}

/* Builds the diagram of what the spec says, and reports on it. */
template <class Spec> static void measure(Spec const &spec, int vars, bool zdd) {
	auto begun = std::chrono::steady_clock::now();
	tdzdd::DdStructure<2> dd(spec);
	size_t peak = dd.size();
	dd.zddReduce();
	if (!zdd) {
		dd = dd.zdd2bdd(vars);
		peak = std::max(peak, dd.size());
		dd.bddReduce();
	}
	double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
	std::string solutions = zdd ? dd.zddCardinality() : dd.bddCardinality(vars);
	printf("{\"engine\": \"TdZdd %s, built with " BUILT "\", \"nodes\": %zu, \"peak_nodes\": %zu, \"solutions\": \"%s\", \"bytes\": %ld, \"build_seconds\": %.6f}\n",
	       TDZDD_VERSION, dd.size(), peak, solutions.c_str(), peak_bytes(), seconds);
}

#ifdef QUEENS
/* The size of the board, which has as many cells as the formula has variables. */
static int size(Formula const &formula) {
	int n = 0;
	while (n * n < formula.vars) n++;
	if (n * n != formula.vars || !std::is_sorted(formula.order.begin(), formula.order.end()))
		fail("expected a board in row-major order");
	return n;
}
#endif

int main(int argc, char **argv) {
	if (argc != 3) fail("usage: tdzdd FILE bdd|zdd");
	bool zdd = std::string(argv[2]) == "zdd";
	Formula formula(argv[1]);
#ifdef QUEENS
	measure(NQueenZdd(size(formula)), formula.vars, zdd);
#else
	measure(Models(formula), formula.vars, zdd);
#endif
}
