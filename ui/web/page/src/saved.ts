// Diagrams saved by harness compile --output, in the format that robdd/save.go describes.
import type { DrawnNode } from "./api";
import { at, name } from "./cells";
import { most } from "./dddmp";

const magic = [0x89, 0x72, 0x6f, 0x62, 0x64, 0x64, 0x0d, 0x0a];

/** isSaved reports whether a file begins like a saved diagram. */
export function isSaved(file: Uint8Array): boolean { return magic.every((byte, i) => file[i] === byte); }

/** crc64 returns the checksum CRC-64/XZ. */
function crc64(file: Uint8Array): bigint {
  const table = Array.from({ length: 256 }, (_, i) => {
    let c = BigInt(i);
    for (let bit = 0; bit < 8; bit++) c = c & 1n ? c >> 1n ^ 0xC96C5795D7870F42n : c >> 1n;
    return c;
  });
  const ones = (1n << 64n) - 1n;
  let sum = ones;
  for (const byte of file) sum = sum >> 8n ^ table[Number(sum & 255n) ^ byte]!;
  return sum ^ ones;
}

/** readSaved returns the kind of a saved diagram and its nodes, top level first. It throws an error that says what is
    wrong. */
export function readSaved(file: Uint8Array): { kind: string; nodes: DrawnNode[] } {
  let pos = magic.length;
  const end = file.length - 8; // of what the checksum covers
  const number = (): number => {
    for (let value = 0, unit = 1; ; unit *= 128) {
      if (pos >= end || unit > 2 ** 42) throw new Error(`the file is damaged at byte ${pos}`);
      const byte = file[pos++]!;
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
  };
  if (number() !== 2) throw new Error("the file is of another version: compile it again");
  const kind = number() === 1 ? "ZDD" : "BDD";
  const vars = number(), count = number();
  if (count > most) throw new Error(`the diagram has ${count} nodes: up to ${most} are drawn`);
  if (vars > file.length) throw new Error("the file is damaged: it is too short");
  number(); // the root is the last node
  for (let texts = 2 * number(); texts > 0; texts--) {
    const length = number();
    pos += length;
  }
  const order = Array.from({ length: vars }, number);
  const widths = Array.from({ length: vars }, number); // the bottom level first
  const n = Math.round(Math.sqrt(vars));
  const named = (v: number): string => n * n === vars ? name(at(n, v - 1)) : `x${v}`;
  const last = [0, 0];
  const child = (place: number): number => {
    const read = number();
    if (read < 2) return read - 2;
    const zigzag = read - 2;
    return last[place]! += zigzag % 2 ? -(zigzag + 1) / 2 : zigzag / 2;
  };
  const nodes: DrawnNode[] = [];
  widths.forEach((width, above) => {
    const level = vars - 1 - above;
    for (let i = 0; i < width && nodes.length <= count; i++) {
      const low = child(0), high = child(1);
      nodes.push({ id: nodes.length + 2, level, cell: named(order[level]!), low, high, live: true, low_live: low !== -2,
        high_live: high !== -2, low_open: true, high_open: true });
    }
  });
  let sum = 0n;
  for (const byte of file.slice(end)) sum = sum << 8n | BigInt(byte);
  if (nodes.length !== count || pos !== end || crc64(file.slice(0, end)) !== sum) {
    throw new Error("the file is damaged: its checksum is wrong");
  }
  return { kind, nodes: nodes.sort((a, b) => a.level - b.level || a.id - b.id) };
}
