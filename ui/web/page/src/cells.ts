// Cells as in chess: file letters, then rank. Row and column count from 0.

export interface Cell { row: number; col: number }

export function file(col: number): string {
  let letters = "";
  for (col++; col > 0; col = Math.floor((col - 1) / 26)) letters = String.fromCharCode(97 + ((col - 1) % 26)) + letters;
  return letters;
}

export function name(c: Cell): string { return file(c.col) + (c.row + 1); }

/** queens returns the cells of a board's queens, given the column of each row's. */
export function queens(cols: number[]): string[] { return cols.map((col, row) => name({ row, col })); }

export function parse(text: string): Cell | null {
  const match = /^([a-z]{1,3})([1-9][0-9]{0,4})$/i.exec(text.trim());
  if (!match) return null;
  let col = 0;
  for (const letter of match[1]!.toLowerCase()) col = col * 26 + letter.charCodeAt(0) - 96;
  return { row: Number(match[2]) - 1, col: col - 1 };
}

export function at(n: number, index: number): Cell { return { row: Math.floor(index / n), col: index % n }; }

export function attacks(a: Cell, b: Cell): boolean {
  if (a.row === b.row && a.col === b.col) return false;
  return a.row === b.row || a.col === b.col || Math.abs(a.row - b.row) === Math.abs(a.col - b.col);
}
