/* MiniSat's library (Debian: minisat) behind the line protocol. */
#include <cstdlib>
#include <cstring>
#include <minisat/core/Solver.h>
#include <vector>

typedef std::vector<int> Ints;
static const char *NAME = "minisat", *VERSION = "2.2.1";

class Engine {
	Minisat::Solver s;
	static Minisat::Lit lit(int l) { return Minisat::mkLit(abs(l) - 1, l < 0); }
	static void lits(const Ints &c, Minisat::vec<Minisat::Lit> &v) { for (int l : c) v.push(lit(l)); }

public:
	Engine(int n) { for (int i = 0; i < n; i++) s.newVar(); }
	void add(const Ints &clause) {
		Minisat::vec<Minisat::Lit> v;
		lits(clause, v);
		s.addClause(v);
	}
	bool solve(const Ints &assume) {
		Minisat::vec<Minisat::Lit> v;
		lits(assume, v);
		return s.solve(v);
	}
	bool value(int v) { return Minisat::toInt(s.model[v - 1]) == 0; /* l_True */ }
	/* The conflict holds negations of assumptions. */
	bool failed(int l) {
		for (int i = 0; i < s.conflict.size(); i++)
			if (s.conflict[i] == ~lit(l)) return true;
		return false;
	}
};

#include "bridge.h"
