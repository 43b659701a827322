// Diagrams from files: DDDMP as text, which CUDD, OxiDD, dd for Python and harness export write.
import type { DrawnNode } from "./api";
import { name } from "./cells";

/** most is the largest number of nodes drawn from a file. */
export const most = 1500;

/** readDDDMP returns the nodes of a file's first root, top level first. A node reached over a complement edge becomes
    a separate node for its negation. It throws an error that says what is wrong. */
export function readDDDMP(text: string): DrawnNode[] {
  const head = new Map<string, string[]>();
  const rows = new Map<number, { index: number; then: number; else: number; value?: boolean }>();
  let within = false;
  text.split(/\r?\n/).forEach((line, at) => {
    const words = line.trim().split(/\s+/);
    if (words[0] === ".nodes" || words[0] === ".end") within = words[0] === ".nodes";
    else if (words[0]!.startsWith(".")) head.set(words[0]!, words.slice(1));
    else if (within && words[0]) {
      const [index, t, e] = words.slice(-3).map(Number) as [number, number, number];
      const id = Number(words[0]);
      if (words.length < 4 || !Number.isInteger(id) || ![t, e].every(Number.isInteger)) {
        throw new Error(`line ${at + 1} of the file: expected a node, as in 5 0 3 4`);
      }
      if (t === 0 && e === 0) rows.set(id, { index: 0, then: 0, else: 0, value: words[1] !== "F" && words[1] !== "0" });
      else rows.set(id, { index, then: t, else: e });
    }
  });
  if (!head.has(".ver") || head.get(".mode")?.[0] !== "A") {
    throw new Error("the file is not a diagram in the text mode of DDDMP; harness export --format dddmp writes one");
  }
  if (rows.size > most) throw new Error(`the diagram has ${rows.size} nodes: up to ${most} are drawn`);
  const names = head.get(".suppvarnames") ?? [], levels = (head.get(".permids") ?? []).map(Number);
  const cellOf = (index: number): string => {
    const word = names[index] ?? `x${head.get(".ids")?.[index] ?? index}`;
    const cell = /^q_(\d+)_(\d+)$/.exec(word);
    return cell ? name({ row: Number(cell[1]), col: Number(cell[2]) }) : word;
  };
  const nodes: DrawnNode[] = [];
  const made = new Map<number, number>(); // by signed number in the file
  const make = (signed: number): number => {
    const row = rows.get(Math.abs(signed));
    if (!row) throw new Error(`node ${Math.abs(signed)} is missing in the file`);
    if (row.value !== undefined) return row.value === signed > 0 ? -1 : -2;
    const known = made.get(signed);
    if (known !== undefined) return known;
    const sign = Math.sign(signed), id = made.size;
    made.set(signed, id);
    const [low, high] = [make(sign * row.else), make(sign * row.then)];
    nodes.push({ id, level: levels[row.index] ?? row.index, cell: cellOf(row.index), low, high, live: true,
      low_live: low !== -2, high_live: high !== -2, low_open: true, high_open: true });
    return id;
  };
  make(Number(head.get(".rootids")?.[0] ?? 0));
  return nodes.sort((a, b) => a.level - b.level || a.id - b.id);
}
