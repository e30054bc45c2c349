import {
  ChainReadError,
  Multicall,
  Simulation,
  allMarkets,
  createChainClient,
  readLatestHead,
  type MarketRow,
  type ProtocolRegistry,
} from '@plimsoll/evm';
import {
  checkPositions,
  countChecks,
  differencesOf,
  familyOf,
  logIndex,
  marketListsOf,
  usdOraclesOf,
  verdictsOf,
  type CheckCounts,
} from '@plimsoll/protocols';
import type { Address } from 'viem';
import type { DoctorNode } from './arguments';

const NEEDS_LOGS = 'its positions are found in logs: name the first block with --logs-from';

/** The comparison of one row. A row that could not be compared has its reason instead of counts. */
export interface VerifiedRow {
  protocol: string;
  market: string;
  family: string;
  counts?: CheckCounts;
  differences?: readonly string[];
  /** The reason why nothing was compared. */
  reason?: string;
  /** Whether the row failed, or just has nothing to compare with. */
  isFailing: boolean;
}

/**
 * Compares our figures of wallets with the verdicts of each row's contracts, at the newest block. Families whose positions
 * are found in logs need the first block of these. Rejects if the node fails.
 */
export async function verifyChain(
  registry: ProtocolRegistry,
  { chainId, rpcUrl, logsFrom }: DoctorNode,
  wallets: readonly Address[],
): Promise<VerifiedRow[]> {
  const chain = registry.chains.find(({ id }) => id === chainId)!;
  const client = createChainClient({ chainId, rpcUrl });
  const block = await readLatestHead(client);
  const parts = {
    client,
    multicall: new Multicall(client, chain.multicall3),
    simulation: new Simulation(client, chain.multicall3),
    usdOracles: usdOraclesOf(registry, chainId),
    ...(logsFrom !== undefined && { index: logIndex(client, logsFrom) }),
    nativeCurrency: chain.nativeCurrency,
  };
  const verify = async (row: MarketRow): Promise<VerifiedRow> => {
    const { protocol, market, family } = row;
    const named = { protocol, market, family };
    if (!verdictsOf(family)) return { ...named, reason: 'its family has no verdicts', isFailing: false };
    if (familyOf(row)?.index && logsFrom === undefined)
      return { ...named, reason: `${NEEDS_LOGS} ${chainId}:BLOCK`, isFailing: false };
    try {
      const checked = await checkPositions(row, parts, wallets, block);
      const differences = differencesOf(checked);
      const isFailing = differences.length > 0;
      return { ...named, counts: countChecks([checked]), differences, isFailing };
    } catch (error) {
      if (!(error instanceof ChainReadError)) throw error;
      return { ...named, reason: error.message, isFailing: true };
    }
  };
  const refreshed = await marketListsOf(registry, { client, multicall: parts.multicall }).refresh(block);
  const rows: VerifiedRow[] = [];
  // One after the other: the simulations of a row are already many calls at the same time.
  for (const row of [...allMarkets(registry, chainId), ...(refreshed?.added ?? [])])
    rows.push(await verify(row));
  return rows;
}

/** The comparison for people: a line for each row with positions, and below it the differences. */
export function verifiedLines(rows: readonly VerifiedRow[]): string[] {
  const lines = rows.flatMap(({ protocol, market, counts, differences = [], reason, isFailing }) => {
    if (!counts) return isFailing ? [`  FAILS     ${protocol} ${market}: ${reason}`] : [];
    const { positions, exact, different, unreadable, verdicts } = counts;
    if (positions + unreadable === 0) return [];
    return [
      `  verified  ${protocol} ${market}: ${positions} positions, ${exact} exact, ${different} different, ${unreadable} wallets unreadable, ${verdicts} verdicts`,
      ...differences.map((difference) => `  DIFFERS   ${protocol} ${difference}`),
    ];
  });
  const skipped = rows.filter((row) => row.reason !== undefined && !row.isFailing);
  return [...lines, ...skippedLines(skipped)];
}

function skippedLines(rows: readonly VerifiedRow[]): string[] {
  const needsLogs = rows.filter(({ reason }) => reason!.startsWith(NEEDS_LOGS));
  const others = rows.filter((row) => !needsLogs.includes(row));
  const names = (of: readonly VerifiedRow[]): string =>
    [...new Set(of.map(({ family }) => family))].join(', ');
  const option = needsLogs[0]?.reason?.slice(NEEDS_LOGS.indexOf('--logs-from'));
  return [
    ...(others.length > 0 ? [`  no verdicts  ${names(others)}`] : []),
    ...(needsLogs.length > 0 ? [`  needs logs  ${names(needsLogs)}: ${option}`] : []),
  ];
}
