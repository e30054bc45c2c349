import type { StatusEntry } from './status-command';

/** Returns the status as a table of plain text, with the sum of CPU and memory in its last line. */
export function statusTable(entries: readonly StatusEntry[]): string {
  const rows = entries.map((entry) => [
    entry.name,
    entry.variant ?? '-',
    entry.health,
    entry.cpuPercent === null ? '-' : percent(entry.cpuPercent),
    entry.memoryMb === null ? '-' : megabytes(entry.memoryMb),
    entry.pid === null ? '-' : String(entry.pid),
    entry.url,
  ]);
  const total = [
    'total',
    '',
    '',
    percent(sumOf(entries, 'cpuPercent')),
    megabytes(sumOf(entries, 'memoryMb')),
    '',
    '',
  ];
  const all = [['NAME', 'VARIANT', 'HEALTH', 'CPU', 'MEMORY', 'PID', 'ADDRESS'], ...rows, total];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const percent = (value: number): string => `${value.toFixed(1)} %`;
const megabytes = (value: number): string => `${value.toFixed(0)} MB`;

/** Returns the sum over all entries that have the figure. */
export function sumOf(entries: readonly StatusEntry[], figure: 'cpuPercent' | 'memoryMb'): number {
  return entries.reduce((total, entry) => total + (entry[figure] ?? 0), 0);
}
