/* Finds all valid cells with a solver's library, in one process that keeps what it
 * learns: the peer of package backends/sat.
 *
 *   valid per-cell|reuse|chunk|pack <question >answer
 *
 * Compiled with one of -DMINISAT, -DCADICAL and -DCRYPTOMINISAT (Debian: minisat,
 * libcadical-dev, libcryptominisat5-dev). Question and answer are 32-bit integers of
 * this machine: the number of variables, of cells, of literals; row and column of
 * each cell, whose variables come first; the literals of all clauses, each clause
 * ended by 0. The answer is the microseconds of CPU time spent, including reading and
 * writing but not starting the process, and the variables of the cells that some model
 * makes true.
 *
 * per-cell assumes one cell after another; reuse skips those that a model has shown; chunk
 * asks for a model of "one of the cells not shown"; pack assumes several cells that do not
 * attack each other, and half of them after UNSAT, as the method of that name does for
 * gini. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <sys/resource.h>
#include <vector>

typedef std::vector<int> Ints;

#if defined(MINISAT)
#include <minisat/core/Solver.h>
class Engine {
	Minisat::Solver s;
	static Minisat::Lit lit(int l) { return Minisat::mkLit(abs(l) - 1, l < 0); }
	int vars;

public:
	Engine(int n) : vars(n) { for (int i = 0; i < n; i++) s.newVar(); }
	void add(const Ints &clause) {
		Minisat::vec<Minisat::Lit> v;
		for (int l : clause) v.push(lit(l));
		s.addClause(v);
	}
	bool solve(const Ints &assume) {
		Minisat::vec<Minisat::Lit> v;
		for (int l : assume) v.push(lit(l));
		return s.solve(v);
	}
	bool value(int v) { return Minisat::toInt(s.model[v - 1]) == 0; /* l_True */ }
	/* Asks for one of the cells, by a clause that an assumption activates. */
	bool one(const Ints &cells) {
		s.newVar();
		int on = ++vars;
		Ints clause(cells);
		clause.push_back(-on);
		add(clause);
		bool found = solve({on});
		add({-on});
		return found;
	}
};
#elif defined(CRYPTOMINISAT)
#include <cryptominisat5/cryptominisat.h>
class Engine {
	CMSat::SATSolver s;
	int vars;
	static CMSat::Lit lit(int l) { return CMSat::Lit(abs(l) - 1, l < 0); }
	static std::vector<CMSat::Lit> lits(const Ints &c) {
		std::vector<CMSat::Lit> v;
		for (int l : c) v.push_back(lit(l));
		return v;
	}

public:
	Engine(int n) : vars(n) { s.new_vars(n); }
	void add(const Ints &clause) { s.add_clause(lits(clause)); }
	bool solve(const Ints &assume) {
		std::vector<CMSat::Lit> v = lits(assume);
		return s.solve(&v) == CMSat::l_True;
	}
	bool value(int v) { return s.get_model()[v - 1] == CMSat::l_True; }
	bool one(const Ints &cells) {
		s.new_var();
		int on = ++vars;
		Ints clause(cells);
		clause.push_back(-on);
		add(clause);
		bool found = solve({on});
		add({-on});
		return found;
	}
};
#elif defined(CADICAL)
#include <cadical.hpp>
class Engine {
	CaDiCaL::Solver s;

public:
	Engine(int n) { s.reserve(n); }
	void add(const Ints &clause) {
		for (int l : clause) s.add(l);
		s.add(0);
	}
	bool solve(const Ints &assume) {
		for (int l : assume) s.assume(l);
		return s.solve() == 10;
	}
	bool value(int v) { return s.val(v) > 0; }
	/* CaDiCaL can take a clause for just the next call. */
	bool one(const Ints &cells) {
		for (int l : cells) s.constrain(l);
		s.constrain(0);
		return s.solve() == 10;
	}
};
#else
#error "define MINISAT, CADICAL or CRYPTOMINISAT"
#endif

static int microseconds() {
	struct rusage r;
	getrusage(RUSAGE_SELF, &r);
	return (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000000 + r.ru_utime.tv_usec + r.ru_stime.tv_usec;
}

static Ints read(size_t n) {
	Ints v(n);
	if (n && fread(v.data(), sizeof(int), n, stdin) != n) {
		fprintf(stderr, "the question ends too early\n");
		exit(1);
	}
	return v;
}

int main(int argc, char **argv) {
	if (argc != 2) return 2;
	int begin = microseconds();
	Ints head = read(3), place = read(2 * head[1]), lits = read(head[2]);
	int cells = head[1];
	Engine engine(head[0]);
	Ints clause;
	for (int l : lits)
		if (l) clause.push_back(l);
		else engine.add(clause), clause.clear();
	std::vector<char> shown(cells + 1), open(cells + 1, 1);
	/* Records the cells of the model. */
	auto show = [&] {
		for (int c = 1; c <= cells; c++)
			if (open[c] && engine.value(c)) shown[c] = 1, open[c] = 0;
	};
	auto rest = [&] {
		Ints list;
		for (int c = 1; c <= cells; c++)
			if (open[c]) list.push_back(c);
		return list;
	};
	bool some = engine.solve({});
	if (some) show();
	if (!some) {
	} else if (!strcmp(argv[1], "per-cell")) {
		for (int c = 1; c <= cells; c++)
			if (engine.solve({c})) shown[c] = 1;
			else engine.add({-c});
	} else if (!strcmp(argv[1], "reuse")) {
		for (int c = 1; c <= cells; c++)
			if (open[c]) {
				if (engine.solve({c})) show();
				else open[c] = 0, engine.add({-c});
			}
	} else if (!strcmp(argv[1], "chunk")) {
		for (Ints list = rest(); !list.empty() && engine.one(list); list = rest()) show();
	} else if (!strcmp(argv[1], "pack")) {
		std::mt19937 random(1);
		std::set<int> rows;
		for (int c = 0; c < cells; c++) rows.insert(place[2 * c]);
		size_t size = rows.size() * 3 / 4 + 1;
		for (Ints list = rest(); !list.empty(); list = rest()) {
			std::shuffle(list.begin(), list.end(), random);
			std::set<int> taken[4];
			Ints pack;
			for (int c : list) {
				int r = place[2 * c - 2], k = place[2 * c - 1], line[4] = {r, k, r - k, r + k};
				bool free = pack.size() < size;
				for (int i = 0; i < 4; i++) free = free && !taken[i].count(line[i]);
				if (!free) continue;
				for (int i = 0; i < 4; i++) taken[i].insert(line[i]);
				pack.push_back(c);
			}
			size_t part = 8; /* first cut by an eighth, eventually by a half */
			while (!engine.solve(pack)) {
				if (pack.size() == 1) {
					engine.add({-pack[0]});
					open[pack[0]] = 0;
					pack.clear();
					break;
				}
				pack.resize(pack.size() - (pack.size() + part - 1) / part);
				part = part > 3 ? part / 2 : 2;
				size = pack.size();
			}
			if (pack.empty()) continue;
			show();
			if (pack.size() >= size) size = std::min(size + size / 10 + 1, rows.size());
		}
	} else return 2;
	Ints answer(1);
	for (int c = 1; c <= cells; c++)
		if (shown[c]) answer.push_back(c);
	answer[0] = microseconds() - begin;
	fwrite(answer.data(), sizeof(int), answer.size(), stdout);
	return 0;
}
