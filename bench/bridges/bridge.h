/* The line protocol of docs/do/solver.md over a class Engine with a constructor that
 * takes the number of variables, add, solve, value and failed, and over NAME and VERSION.
 * Each bridge includes this below its Engine. */
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <time.h>

static double seconds() {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static void say(const char *word, const Ints &lits) {
	std::string line(word);
	for (int l : lits) line += ' ' + std::to_string(l);
	puts((line + " 0").c_str());
	if (std::cin.rdbuf()->in_avail() <= 0) fflush(stdout); /* a batch is answered together */
}

int main() {
	std::ios::sync_with_stdio(false);
	std::unique_ptr<Engine> engine;
	int vars = -1;
	bool fresh = false;
	std::vector<Ints> clauses; /* since the last answer: the solver's time leaves out reading them */
	printf("solver %s %s\n", NAME, VERSION);
	fflush(stdout);
	for (std::string line; std::getline(std::cin, line);) {
		const char *at = line.c_str();
		std::string word(at, strcspn(at, " "));
		at += word.size();
		if (word == "new") {
			vars = atoi(at);
			fresh = true;
			clauses.clear();
			continue;
		}
		Ints lits;
		for (char *end; int l = strtol(at, &end, 10); at = end) lits.push_back(l);
		if (vars < 0 || (word != "add" && word != "solve")) {
			fprintf(stderr, "unexpected line: %s\n", line.c_str());
			return 2;
		}
		if (word == "add") {
			clauses.push_back(lits);
			continue;
		}
		double begin = seconds();
		if (fresh) engine.reset(new Engine(vars));
		fresh = false;
		for (const Ints &c : clauses) engine->add(c);
		clauses.clear();
		Ints answer;
		bool found = engine->solve(lits);
		if (found) {
			for (int v = 1; v <= vars; v++)
				if (engine->value(v)) answer.push_back(v);
		} else {
			for (int l : lits)
				if (engine->failed(l)) answer.push_back(l);
		}
		printf("c seconds %.9f\n", seconds() - begin);
		say(found ? "sat" : "unsat", answer);
	}
	return 0;
}
