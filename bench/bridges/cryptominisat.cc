/* CryptoMiniSat's library (Debian: libcryptominisat5-dev) behind the line protocol. */
#include <algorithm>
#include <cryptominisat5/cryptominisat.h>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef std::vector<int> Ints;
static const char *NAME = "cryptominisat", *VERSION = CMSat::SATSolver::get_version();

class Engine {
	CMSat::SATSolver s;
	static CMSat::Lit lit(int l) { return CMSat::Lit(abs(l) - 1, l < 0); }
	static std::vector<CMSat::Lit> lits(const Ints &c) {
		std::vector<CMSat::Lit> v;
		for (int l : c) v.push_back(lit(l));
		return v;
	}

public:
	Engine(int n) { s.new_vars(n); }
	void add(const Ints &clause) { s.add_clause(lits(clause)); }
	bool solve(const Ints &assume) {
		std::vector<CMSat::Lit> v = lits(assume);
		return s.solve(&v) == CMSat::l_True;
	}
	bool value(int v) { return s.get_model()[v - 1] == CMSat::l_True; }
	/* The conflict holds negations of assumptions. */
	bool failed(int l) {
		const std::vector<CMSat::Lit> &c = s.get_conflict();
		return std::find(c.begin(), c.end(), ~lit(l)) != c.end();
	}
};

#include "bridge.h"
