import { readFileSync } from 'node:fs';
import { loadRegistry, parseAddresses } from '@plimsoll/evm';
import type { Address } from 'viem';
import { HELP, UsageError, parseArguments } from './arguments';
import { probeChain, type ChainReport, type RowReport } from './probe-chain';
import { verifiedLines, verifyChain } from './verify-chain';

/** @returns the exit code: 0 all rows work, 1 some fail, 2 nothing could be read */
export async function main(
  words: string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  try {
    const options = parseArguments(words, env);
    if (!options) {
      console.log(HELP);
      return 0;
    }
    const wallets = options.walletsFile === undefined ? null : readWallets(options.walletsFile);
    const registry = await loadRegistry(options.overlayPath);
    const chains = await Promise.all(
      options.nodes.map(async (node): Promise<ChainReport> => {
        const report = await probeChain(registry, node);
        return wallets && report.problem === null
          ? { ...report, verified: await verifyChain(registry, node, wallets) }
          : report;
      }),
    );
    console.log(options.json ? JSON.stringify({ chains }, null, 2) : toTable(chains));
    if (chains.every(({ problem }) => problem !== null)) return 2;
    const isFailing = chains.some(
      ({ problem, rows, verified = [] }) =>
        problem !== null ||
        rows.some(({ state }) => state === 'failing') ||
        verified.some((row) => row.isFailing),
    );
    return isFailing ? 1 : 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return 2;
  }
}

/** @throws UsageError */
function readWallets(file: string): Address[] {
  try {
    return parseAddresses(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--verify ${file}: ${(error as Error).message}.`, { cause: error });
  }
}

/** The report for people: one line for each chain, and below it the failed and the unread rows. */
export function toTable(chains: readonly ChainReport[]): string {
  return chains.flatMap(chainLines).join('\n');
}

function chainLines({ chainId, name, head, problem, rows, verified = [] }: ChainReport): string[] {
  if (problem !== null) return [`chain ${chainId} ${name}: ${problem}`];
  const failing = rows.filter(({ state }) => state === 'failing');
  const ok = rows.filter(({ state }) => state === 'ok').length;
  const notRead = rows.filter(({ state }) => state === 'not_read');
  return [
    `chain ${chainId} ${name}: block ${head}, ${ok} rows work, ${failing.length} fail, ${notRead.length} are not read`,
    ...failing.map(({ protocol, market, message }) => `  FAILS     ${protocol} ${market}: ${message}`),
    ...notReadLines(notRead),
    ...verifiedLines(verified),
  ];
}

function notReadLines(rows: readonly RowReport[]): string[] {
  const protocols = [...new Set(rows.map(({ protocol }) => protocol))];
  return protocols.length === 0 ? [] : [`  not read  ${protocols.join(', ')}: no reader for their families`];
}
