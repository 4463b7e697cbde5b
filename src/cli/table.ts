import { stripVTControlCharacters } from 'node:util';

/** Rows as aligned columns, two spaces apart; no column ends in blanks. Colours take no room. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => width(row[column] ?? ''))),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const width = (cell: string): number => [...stripVTControlCharacters(cell)].length;
