import {
  ChainReadError,
  Multicall,
  Simulation,
  parseHead,
  subjectOf,
  type BlockRef,
  type ChainClient,
  type MarketRow,
} from '@plimsoll/evm';
import type { Address } from 'viem';
import { familyOf } from './families';
import type { ReaderParts } from './reader/family-reader';
import { logIndex } from './reader/log-index';
import type { Unreadable } from './reader/protocol-reader';
import type { RawPosition } from './reader/raw-position';
import { verdictsOf } from './verdicts';
import type { CheckedPositions } from './verdicts/checked-positions';
import type { RecordedReading } from './verdicts/recorded-reading';

/**
 * Reads positions of a row as the services do, and then what their contract states of them, at the same block.
 * @throws ChainReadError if the row or the verdicts cannot be read; Error if the family has none
 */
export async function checkPositions(
  row: MarketRow,
  { simulation, ...parts }: ReaderParts & { simulation: Simulation },
  wallets: readonly Address[],
  block: BlockRef,
): Promise<CheckedPositions> {
  const reader = familyOf(row)?.makeReader(row, parts);
  const readVerdicts = verdictsOf(row.family);
  if (!reader || !readVerdicts)
    throw new Error(`the family ${row.family} has no verdicts: add them to libs/protocols/src/verdicts.ts`);
  const { positions, unreadable, mismatches } = await reader.readPositions(wallets, block);
  const whole = unreadable.find((each) => each.wallets.length === 0);
  if (whole) {
    const message = `${subjectOf(row, 'positions')} on chain ${row.chainId} cannot be read: ${whole.reason}`;
    throw new ChainReadError(whole.reason, row.chainId, message);
  }
  const readable = positions.filter((position) => position.unreadable === undefined);
  const parted = positions.filter((position) => position.unreadable !== undefined).map(asUnreadable);
  const scope = { row, multicall: parts.multicall, block, simulation };
  const verdicts = await readVerdicts(scope, readable);
  return {
    positions: readable.map((position, index) => ({ position, verdicts: verdicts[index]! })),
    mismatches,
    unreadable: [...unreadable, ...parted],
  };
}

function asUnreadable({ protocol, chainId, market, wallet, unreadable }: RawPosition): Unreadable {
  return { protocol, chainId, market, reason: unreadable!, wallets: [wallet] };
}

/**
 * Reads and checks the positions of a reading over a client, row by row: of a node, while it is recorded, and of the
 * recording itself. @throws as checkPositions
 */
export async function checkReading(
  { rows, usdOracles, nativeCurrency, firstBlock, wallets, chain }: RecordedReading,
  client: ChainClient,
): Promise<CheckedPositions[]> {
  const parts = {
    client,
    multicall: new Multicall(client, chain.multicall3),
    simulation: new Simulation(client, chain.multicall3),
    index: logIndex(client, BigInt(firstBlock)),
    usdOracles,
    nativeCurrency,
  };
  const checks: CheckedPositions[] = [];
  for (const row of rows) checks.push(await checkPositions(row, parts, wallets, parseHead(chain.block)));
  return checks;
}
