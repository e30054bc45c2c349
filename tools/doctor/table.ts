import type { ChainReport, RowReport } from './probe-chain';

/** The report for people: one line for each chain, and below it the failed and the unread rows. */
export function toTable(chains: readonly ChainReport[]): string {
  return chains.flatMap(chainLines).join('\n');
}

function chainLines({ chainId, name, head, problem, rows }: ChainReport): string[] {
  if (problem !== null) return [`chain ${chainId} ${name}: ${problem}`];
  const failing = rows.filter(({ state }) => state === 'failing');
  const ok = rows.filter(({ state }) => state === 'ok').length;
  const notRead = rows.filter(({ state }) => state === 'not_read');
  return [
    `chain ${chainId} ${name}: block ${head}, ${ok} rows work, ${failing.length} fail, ${notRead.length} are not read`,
    ...failing.map(({ protocol, market, message }) => `  FAILS     ${protocol} ${market}: ${message}`),
    ...notReadLines(notRead),
  ];
}

function notReadLines(rows: readonly RowReport[]): string[] {
  const protocols = [...new Set(rows.map(({ protocol }) => protocol))];
  return protocols.length === 0 ? [] : [`  not read  ${protocols.join(', ')}: no reader for their families`];
}
