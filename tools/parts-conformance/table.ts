import type { Observation, Row } from './run-suite';

const MAX_CELL_CHARS = 160;

/** The rows that differ or failed, and a line of counts. `all` adds every row. */
export function formatTable(rows: readonly Row[], all: boolean): string {
  const shown = rows.filter(({ verdict }) => all || verdict === 'different' || verdict === 'failed');
  const lines = shown.map(
    ({ part, check, verdict, embedded, genuine }) =>
      `| ${part} | ${check} | ${verdict} | ${cell(embedded)} | ${genuine ? cell(genuine) : 'not run'} |`,
  );
  const table = lines.length > 0 ? [HEAD, ...lines, ''].join('\n') : '';
  return `${table}${summarize(rows)}`;
}

/** One line, for instance: kafka: 118 checks, 118 same, 0 different, 0 failed. */
export function summarize(rows: readonly Row[]): string {
  return [...new Set(rows.map(({ part }) => part))]
    .map((part) => {
      const own = rows.filter((row) => row.part === part);
      const count = (verdict: Row['verdict']): number => own.filter((row) => row.verdict === verdict).length;
      const compared = own.some(({ genuine }) => genuine !== undefined);
      const good = compared
        ? `${count('same')} same, ${count('different')} different`
        : `${count('passed')} passed`;
      return `${part}: ${own.length} checks, ${good}, ${count('failed')} failed${compared ? '' : '; genuine: NOT RUN'}`;
    })
    .join('\n');
}

const HEAD = '| part | check | verdict | embedded | genuine |\n|---|---|---|---|---|';

function cell({ value, error }: Observation): string {
  const text = error === undefined ? JSON.stringify(value) : `failed: ${error}`;
  const short = text.length > MAX_CELL_CHARS ? `${text.slice(0, MAX_CELL_CHARS)}…` : text;
  return short.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
