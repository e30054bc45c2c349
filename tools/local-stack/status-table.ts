import type { StatusEntry } from './status-command';

/** The status as a table of plain text. */
export function statusTable(entries: readonly StatusEntry[]): string {
  const rows = entries.map((entry) => [
    entry.name,
    entry.health,
    entry.cpuPercent === null ? '-' : `${entry.cpuPercent.toFixed(1)} %`,
    entry.memoryMb === null ? '-' : `${entry.memoryMb.toFixed(0)} MB`,
    entry.pid === null ? '-' : String(entry.pid),
    entry.url,
  ]);
  const all = [['NAME', 'HEALTH', 'CPU', 'MEMORY', 'PID', 'ADDRESS'], ...rows];
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
