/* CaDiCaL's library (Debian: libcadical-dev) behind the line protocol. */
#include <cadical.hpp>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef std::vector<int> Ints;
static const char *NAME = "cadical", *VERSION = CaDiCaL::Solver::version();

class Engine {
	CaDiCaL::Solver s;

public:
	Engine(int n) {
		s.set("quiet", 1);
		s.reserve(n);
	}
	void add(const Ints &clause) {
		for (int l : clause) s.add(l);
		s.add(0);
	}
	bool solve(const Ints &assume) {
		for (int l : assume) s.assume(l);
		return s.solve() == 10;
	}
	bool value(int v) { return s.val(v) > 0; }
	bool failed(int l) { return s.failed(l); }
};

#include "bridge.h"
