import type { MinedLog } from '@plimsoll/evm';
import {
  type AbiEvent,
  type Address,
  type Hex,
  encodeAbiParameters,
  encodeEventTopics,
  parseAbiItem,
} from 'viem';
import type { ActivityFamily } from '../src/activity/activity-family';
import { type ActivityReader, activityReader } from '../src/activity/activity-reader';

export const address = (digit: string): Address => `0x${digit.repeat(40)}`;

export const [alice, bob, carol] = [address('a'), address('b'), address('c')];

export const [pool, token, asset, other] = [address('1'), address('2'), address('3'), address('4')];

export const market = `0x${'7'.repeat(64)}` as const;

const block = { number: 1n, hash: `0x${'0'.repeat(64)}` as const, timestamp: 0n };

let index = 0;

/** A log as the contract would write it. */
export function log(
  emitter: Address,
  signature: string,
  args: Record<string, unknown>,
  transaction = '1',
): MinedLog {
  const event = parseAbiItem(`event ${signature}` as 'event E()') as AbiEvent;
  const words = event.inputs.filter(({ indexed }) => !indexed);
  return {
    address: emitter,
    topics: encodeEventTopics({ abi: [event], args } as never) as Hex[],
    data: encodeAbiParameters(
      words,
      words.map(({ name }) => args[name ?? ''] ?? (0n as never)),
    ),
    blockNumber: '0x1',
    blockHash: block.hash,
    transactionHash: `0x${transaction.repeat(64)}`,
    logIndex: `0x${(index += 1).toString(16)}`,
  };
}

/** A reader over a market with known addresses, without a chain. */
export async function readerOf<S>(family: ActivityFamily<S>, source: unknown): Promise<ActivityReader> {
  const row = { protocol: 'p', family: 'f', chainId: 1, market: 'm', contracts: {} };
  const known = { ...family, readSource: () => Promise.resolve(source as S) };
  const parts = { client: undefined as never, multicall: undefined as never, usdOracles: [] };
  const reader = activityReader(known, { row, ...parts }, 'ETH');
  await reader.open(block);
  return reader;
}
