import {
  ChainRecording,
  Multicall,
  parseHead,
  readLogs,
  type BlockRef,
  type ChainClient,
  type ChainRecordingJson,
  type MarketRow,
  type MinedLog,
} from '@plimsoll/evm';
import type { Address } from 'viem';
import { gunzipSync, gzipSync, constants } from 'node:zlib';
import { familyOf, type AnyReader } from '../families';
import { logIndex } from '../reader/log-index';
import type { MarketTotals } from '../reader/market-totals';
import type { PositionsRead, TouchedWallets } from '../reader/protocol-reader';
import type { UsdOracle } from '../reader/usd-price';
import type { ActivityRead } from './activity';
import type { ActivityReader, PricedToken } from './activity-reader';

/**
 * A reading of a row whose wallets acted in some blocks, with everything that the chain returned: the states of these
 * blocks, and their logs.
 */
export interface RecordedActivity {
  row: MarketRow;
  usdOracles: readonly UsdOracle[];
  nativeCurrency: string;
  /** All wallets with a position. */
  wallets: readonly Address[];
  /** Of the block before the first action, of the last block, and of those between them that are read; oldest first. */
  states: readonly ChainRecording[];
}

interface RecordedActivityJson extends Omit<RecordedActivity, 'states'> {
  version: 2;
  states: readonly ChainRecordingJson[];
}

/** The actions of the blocks, and the row before and after them. */
export interface ActivityReading {
  read: ActivityRead;
  /** The same logs, block by block, by a new reader. */
  readByBlock: ActivityRead['activities'];
  /** The tokens of the actions. */
  tokens: ReadonlyMap<Address, PricedToken>;
  touched: TouchedWallets;
  before: PositionsRead;
  after: PositionsRead;
  totals: MarketTotals | null;
}

/** The file of an activity. The same reading is the same bytes. */
export function serialiseActivity({ states, ...request }: RecordedActivity): Buffer {
  const read = states.filter(
    (state) => state === states[0] || state === states.at(-1) || state.callCount > 0,
  );
  const json: RecordedActivityJson = { version: 2, ...request, states: read.map((state) => state.toJson()) };
  return gzipSync(JSON.stringify(json), { level: constants.Z_BEST_COMPRESSION });
}

/** @throws when the file is no activity of this version */
export function parseActivity(file: Buffer): RecordedActivity {
  const { version, states, ...request } = JSON.parse(gunzipSync(file).toString()) as RecordedActivityJson;
  if (version !== 2) throw new Error(`an activity of version ${String(version)}: record it again`);
  return { ...request, states: states.map((state) => ChainRecording.fromJson(state)) };
}

/** Reads an activity over a client as the services do: of a node, while it is recorded, and of the recording itself. */
export async function readActivity(
  activity: RecordedActivity,
  client: ChainClient,
): Promise<ActivityReading> {
  const { row, usdOracles, nativeCurrency, wallets } = activity;
  const { before, after, multicall3 } = endsOf(activity);
  const multicall = new Multicall(client, multicall3);
  const parts = { client, multicall, usdOracles, nativeCurrency, index: logIndex(client) };
  const first = before.number + 1n;
  const { makeActivityReader, makeReader } = familyOf(row)!;
  const open = async (): Promise<ActivityReader> => {
    const opened = makeActivityReader(row, parts);
    await opened.open(before);
    return opened;
  };
  const inRange = await open();
  const read = await readRange(client, inRange, first, after.number, after);
  const other = await open();
  const readByBlock: ActivityRead['activities'] = [];
  for (let block = first; block <= after.number; block += 1n)
    readByBlock.push(...(await readRange(client, other, block, block, after)).activities);
  const used = new Set(read.activities.map(({ token }) => token));
  const tokens = await inRange.readTokens([...used], after);
  const reader: AnyReader = makeReader(row, parts);
  const held = await reader.readPositions(wallets, before);
  const touched = await reader.readTouchedWallets(first, after.number, reader.readMarket(after));
  return {
    read,
    readByBlock,
    tokens,
    touched,
    before: held,
    after: await reader.readPositions(wallets, after),
    totals: await reader.readTotals(after),
  };
}

/** The blocks before the first action and after the last one, of which every activity has the state. */
export function endsOf({ states }: RecordedActivity) {
  const [oldest, newest] = [states[0]!, states.at(-1)!];
  return {
    before: parseHead(oldest.block),
    after: parseHead(newest.block),
    multicall3: newest.multicall3,
  };
}

/** Reads a range as the service does: again, when the logs name contracts whose logs were not requested. */
export async function readRange(
  client: ChainClient,
  reader: ActivityReader,
  fromBlock: bigint,
  toBlock: bigint,
  head: BlockRef,
): Promise<ActivityRead> {
  for (;;) {
    const logs: MinedLog[] = [];
    for await (const part of readLogs<MinedLog>(client, reader.filter(), fromBlock, toBlock))
      logs.push(...part.logs);
    if (!(await reader.learn(logs, head))) return reader.read(logs);
  }
}
