// Tests of what does not draw, bundled by a Go test and run by node --test.
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, attacks, file, name, parse } from "../src/cells";
import { change, dot, layout, path } from "../src/diagram";
import { big, worked } from "../src/dom";
import { decide, decisions, link } from "../src/choices";
import { capital } from "../src/why";
import { listed, moved } from "../src/orders";
import { due, swapped, told } from "../src/build";
import { inSight, snapped } from "../src/marks";
import { pace, Player } from "../src/player";
import { defaults, fromLink, toLink } from "../src/state";
import { sweep } from "../src/sweep";
import { panned, zoomed } from "../src/view";

test("cells are written as in chess, and read back", () => {
  for (const [text, row, col] of [["a1", 0, 0], ["h8", 7, 7], ["z26", 25, 25], ["aa27", 26, 26],
    ["gr200", 199, 199]] as const) {
    assert.deepEqual(parse(text), { row, col });
    assert.equal(name({ row, col }), text);
  }
  for (const text of ["", "a", "1", "a0", "a-1", "1a", "a1b", "aaaa1"]) assert.equal(parse(text), null, text);
  assert.equal(file(701), "zz");
  assert.deepEqual(at(8, 9), { row: 1, col: 1 });
  assert.ok(attacks({ row: 0, col: 0 }, { row: 5, col: 5 }));
  assert.ok(!attacks({ row: 0, col: 0 }, { row: 0, col: 0 }));
  assert.ok(!attacks({ row: 0, col: 0 }, { row: 1, col: 2 }));
});

test("a link holds the board, and its invalid parts are reported", () => {
  const state = { n: 9, placed: ["a1", "c2"], blocked: ["d4"] };
  const settings = { ...defaults, forced: "place" as const, tab: "diagram", heat: true, order: "best-bdd" };
  const back = fromLink(toLink(state, settings), 200);
  assert.deepEqual(back.state, state);
  assert.deepEqual(back.settings, settings);
  assert.deepEqual(back.wrong, []);
  const bad = fromLink("#n=8&q=a1,z9,a1&x=a1,b2&forced=always&why=q9", 200);
  assert.deepEqual(bad.state, { n: 8, placed: ["a1"], blocked: ["b2"] });
  assert.equal(bad.wrong.length, 3);
  assert.match(bad.wrong.join(), /z9.*always.*q9/s);
  assert.deepEqual(fromLink("#n=8&queens=a1&why=z9", 200).wrong,
    ["why=z9 is not on the board for n = 8", "queens is no part of a link"]);
  assert.match(fromLink("#n=5000", 200).wrong[0]!, /n=5000 is not a board size from 1 to 200/);
  for (const n of ["0", "-3", "x", "2.5", ""]) assert.equal(fromLink(`#n=${n}`, 200).wrong.length, 1, n);
});

test("a player steps within its frames and plays to the end", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let drawn = 0;
  const p = new Player(4, () => drawn++);
  p.back(); assert.equal(p.at, 0);
  p.next(); p.go(99); assert.equal(p.at, 3); assert.ok(p.atEnd);
  p.toggle(); assert.equal(p.at, 0); assert.ok(p.playing);
  t.mock.timers.tick(pace); assert.equal(p.at, 1);
  t.mock.timers.tick(pace); t.mock.timers.tick(pace); assert.equal(p.at, 3); assert.ok(!p.playing);
  p.toggle(); p.next(); assert.ok(!p.playing, "a step by hand pauses");
  t.mock.timers.tick(10 * pace); assert.equal(p.at, 1);
  assert.ok(drawn > 5);
});

const node = (id: number, level: number, cell: string, low: number, high: number, key = `k${id}`) =>
  ({ id, level, cell, low, high, live: true, low_live: true, high_live: true, low_open: true, high_open: true, key });
const xor = [node(2, 0, "a1", 3, 4), node(3, 1, "b1", -2, -1), node(4, 1, "b1", -1, -2)];

test("a layout has one line per level, and its nodes do not touch", () => {
  const l = layout(xor);
  assert.equal(l.y.get(3), l.y.get(4));
  assert.ok(l.y.get(2)! < l.y.get(3)!);
  assert.ok(Math.abs(l.x.get(3)! - l.x.get(4)!) >= 22, "two circles do not touch");
  assert.deepEqual(l.levels.map((x) => x.cell), ["a1", "b1"]);
  assert.deepEqual(layout([]).levels, []);
});

test("the path to a node says what was decided", () => {
  assert.deepEqual(path(xor, 4), [{ cell: "a1", queen: true }]);
  assert.deepEqual(path(xor, 3), [{ cell: "a1", queen: false }]);
  assert.deepEqual(path(xor, 2), []);
});

test("nodes that stay are recognised by their functions", () => {
  assert.deepEqual(change(xor, xor), { stayed: 3, appeared: 0, vanished: 0 });
  assert.deepEqual(change(xor, [node(9, 0, "a1", -1, -2, "k3")]), { stayed: 1, appeared: 0, vanished: 2 });
  assert.deepEqual(change([], xor), { stayed: 0, appeared: 3, vanished: 0 });
});

test("DOT names each node, with a dashed edge for low", () => {
  const text = dot(xor);
  assert.match(text, /n2 -> n3 \[style=dashed\];/);
  assert.match(text, /n2 -> n4;/);
  assert.match(text, /n3 -> false \[style=dashed\];\n\tn3 -> true;/);
});

test("a sweep finds the cells behind high edges of nodes both reached and alive", () => {
  // a1 → b1 or nothing else: solutions {b1}, {a1}
  const steps = sweep(xor);
  assert.deepEqual(steps.at(-1)!.valid.sort(), ["a1", "b1"]);
  const blocked = sweep(xor.map((n) => (n.cell === "b1" ? { ...n, high_open: false } : n)));
  assert.deepEqual(blocked.at(-1)!.valid, ["a1"]);
  assert.deepEqual([...blocked.at(-1)!.alive].sort(), [-1, 2, 4], "node 3 needs b1");
  assert.deepEqual(sweep([]), []);
});

test("a painted cell has whole pixels, or is flat", () => {
  assert.deepEqual([snapped(6.4), snapped(4), snapped(2.9)], [6, 4, 2.9]);
});

test("the rules left are the group's, rows first, without those conjoined", () => {
  const rule = (id: string) => ({ id, title: id, formula: id });
  const groups = [
    { name: "occupied", title: "", rules: [rule("r1"), rule("r2")] },
    { name: "kinds", title: "", rules: [rule("all"), rule("cols")] },
    { name: "cells", title: "", rules: [rule("a1"), rule("b1")] },
  ];
  assert.deepEqual(due(groups, "cells", ["r1", "b1"]).map((r) => r.id), ["r2", "a1"]);
  assert.deepEqual(due(groups, "kinds", []).map((r) => r.id), ["all", "cols"]);
  assert.deepEqual(swapped(["a", "b", "c"], 1), ["a", "c", "b"]);
  assert.deepEqual(swapped(["a", "b"], 1), ["a", "b"]);
  assert.match(told({ rule: "", nodes: 5, created: 0, solutions: "1" }, { rule: "x", nodes: 7, created: 9,
    solutions: "1" }, { stayed: 2, appeared: 5, vanished: 3 }), /5 nodes become 7: 2 stay, 5 appear, 3 vanish/);
});

test("zoom keeps the point under the pointer, and never leaves the picture", () => {
  const whole = { x: 0, y: 0, w: 800, h: 800 };
  const b = zoomed(whole, whole, 4, { x: 200, y: 600 });
  assert.deepEqual(b, { x: 150, y: 450, w: 200, h: 200 });
  assert.deepEqual(zoomed(whole, b, 0.1, { x: 0, y: 0 }), whole);
  assert.equal(zoomed(whole, b, 1e9, { x: 200, y: 600 }).w, 20);
  assert.deepEqual(panned(whole, b, -1000, 1000), { x: 0, y: 600, w: 200, h: 200 });
});

test("only what is in sight is painted", () => {
  assert.deepEqual(inSight(200, 100, { x: 0, y: 0, w: 20000, h: 20000 }), { col0: 0, col1: 199, row0: 0, row1: 199 });
  assert.deepEqual(inSight(200, 100, { x: 1000, y: 500, w: 300, h: 200 }), { col0: 10, col1: 13, row0: 192,
    row1: 194 });
});

test("an order is painted cell by cell", () => {
  assert.deepEqual(listed(2, [3, 1, 2, 0]), ["b2", "b1", "a2", "a1"]);
  assert.deepEqual(moved(["a1", "b1", "a2", "b2"], "b2", 0), ["b2", "a1", "b1", "a2"]);
  assert.deepEqual(moved(["a1", "b1", "a2", "b2"], "a1", 2), ["b1", "a2", "a1", "b2"]);
});

test("a click decides, and a choice has one option", () => {
  const one = { name: "colour", one: true, names: ["red", "blue"] }, many = { name: "extras", one: false, names: ["bell"] };
  assert.deepEqual(decide([], one, "red", false), ["red"]);
  assert.deepEqual(decide(["red", "bell"], one, "blue", false), ["bell", "blue"]);
  assert.deepEqual(decide(["bell"], many, "bell", false), []);
  assert.deepEqual(decide(["bell"], many, "bell", true), ["-bell"]);
  assert.deepEqual(decisions(link(["red", "-a b,c"])), ["red", "-a b,c"]);
  assert.deepEqual(decisions(""), []);
});

test("words for people", () => {
  assert.deepEqual(worked({ models: 1, solves: 19, "nodes visited": 1, "solutions recalled": 1, conflicts: 0, matches: 1 }),
    ["1 model", "19 solves", "1 node visited", "1 solution recalled", "1 match"]);
  assert.equal(big("1234567"), "1\u202f234\u202f567");
  assert.equal(big("22089" + "0".repeat(400)), "2.21 · 10^404");
  assert.equal(capital("every choice fails"), "Every choice fails");
  assert.equal(capital("d2 is the last free cell"), "d2 is the last free cell");
});
