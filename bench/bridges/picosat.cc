/* PicoSAT's library (Debian: picosat) behind the line protocol. */
#include <cstdlib>
#include <cstring>
#include <vector>
extern "C" {
#include <picosat/picosat.h>
}

typedef std::vector<int> Ints;
static const char *NAME = "picosat", *VERSION = picosat_version();

class Engine {
	PicoSAT *s;

public:
	Engine(int n) : s(picosat_init()) { picosat_adjust(s, n); }
	~Engine() { picosat_reset(s); }
	void add(const Ints &clause) {
		for (int l : clause) picosat_add(s, l);
		picosat_add(s, 0);
	}
	bool solve(const Ints &assume) {
		for (int l : assume) picosat_assume(s, l);
		return picosat_sat(s, -1) == PICOSAT_SATISFIABLE;
	}
	bool value(int v) { return picosat_deref(s, v) > 0; }
	bool failed(int l) { return picosat_failed_assumption(s, l); }
};

#include "bridge.h"
