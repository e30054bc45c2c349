import {
  planOf,
  type LogFilter,
  type MinedLog,
  type Multicall,
  type BlockRef,
  type MarketRow,
  type ChainClient,
  lowerCase,
  subjectOf,
} from '@plimsoll/evm';
import { zeroAddress, type Address } from 'viem';
import { addToken, type Token } from '../reader/tokens';
import type { UsdOracle } from '../reader/usd-price';
import type { Activity, ActivityRead } from './activity';
import type { ActivityFamily, ActivityScope } from './activity-family';
import type { LogLookup } from './event-table';

const NATIVE_DECIMALS = 18;
/** Above the largest number of moves of one log. */
const PARTS = 16;

/** A token with the price of one whole token. */
export interface PricedToken extends Token {
  /** Dollars, wad. Null if no oracle prices it. */
  usdRaw: bigint | null;
}

/** Reads the activities of wallets in one market from its logs. */
export interface ActivityReader {
  readonly row: MarketRow;
  /**
   * Reads the data that the family needs at the block. Called once, before all other methods. @throws
   * ChainReadError
   */
  open(block: BlockRef): Promise<void>;
  /** The filter of the logs to read. Other logs in a list are skipped. */
  filter(): LogFilter;
  /**
   * Adds the items that the logs name. True: the filter changed, and the logs must be read again. @throws
   * ChainReadError
   */
  learn(logs: readonly MinedLog[], block: BlockRef): Promise<boolean>;
  /** Decodes the logs, oldest first. It skips logs of other markets. Pure. */
  read(logs: readonly MinedLog[]): ActivityRead;
  /**
   * Tokens with their prices at the block, by the market's oracle if it is in dollars. A token that states no
   * decimals is omitted. @throws ChainReadError
   */
  readTokens(tokens: readonly Address[], block: BlockRef): Promise<Map<Address, PricedToken>>;
}

/** @param nativeCurrency symbol of the chain's own coin */
export function activityReader<S>(
  family: ActivityFamily<S>,
  scope: ActivityScope,
  nativeCurrency: string,
): ActivityReader {
  const { row } = scope;
  let known: { source: S; addresses: ReadonlySet<Address> } | undefined;
  const take = (source: S): void => {
    known = { source, addresses: new Set(family.addressesOf(source)) };
  };
  const state = (): NonNullable<typeof known> => {
    if (!known) throw new Error(`${subjectOf(row, 'activity')} is not open yet: call open first`);
    return known;
  };
  const own = (logs: readonly MinedLog[]): MinedLog[] =>
    logs.filter(({ address }) => state().addresses.has(lowerCase(address)));
  return {
    row,
    open: async (block) => take(await family.readSource(scope, block)),
    filter: () => ({
      addresses: [...state().addresses],
      topics: [...family.events.topics, ...(family.noticeTopics ?? [])],
    }),
    learn: async (logs, block) => {
      const { source, addresses } = state();
      const learned = await family.learn(scope, source, own(logs), block);
      if (learned !== source) take(learned);
      return state().addresses.size !== addresses.size;
    },
    read: (logs) => readAll(family, state().source, own(logs)),
    readTokens: (tokens, block) => readTokens(family, scope, state().source, tokens, nativeCurrency, block),
  };
}

function readAll<S>(family: ActivityFamily<S>, source: S, logs: readonly MinedLog[]): ActivityRead {
  const read: ActivityRead = { activities: [], permissions: [] };
  const lookup: LogLookup = {
    tokenOf: (of, log, key) => family.tokenOf(source, of, log, key),
    ownerOf: (key, log) => family.ownerOf?.(source, key, log) ?? null,
  };
  for (const transaction of byTransaction(logs)) {
    const activities: Activity[] = family.compose?.(source, transaction) ?? [];
    for (const found of transaction.flatMap((log) => family.events.read(log, lookup))) {
      if ('action' in found) activities.push(found);
      else read.permissions.push(found);
    }
    activities.sort((a, b) => logOrderOf(a) - logOrderOf(b));
    if (activities.length > 0)
      read.activities.push(...(family.settle?.(source, activities, transaction) ?? activities));
  }
  return read;
}

function logOrderOf({ log, part = 0 }: Activity): number {
  return Number(log.logIndex) + part / PARTS;
}

/** Groups logs by transaction, in their order. */
function byTransaction(logs: readonly MinedLog[]): Iterable<MinedLog[]> {
  const groups = new Map<string, MinedLog[]>();
  for (const log of logs) {
    const key = log.blockHash + log.transactionHash;
    const group = groups.get(key);
    if (group) group.push(log);
    else groups.set(key, [log]);
  }
  return groups.values();
}

async function readTokens<S>(
  family: ActivityFamily<S>,
  scope: ActivityScope,
  source: S,
  tokens: readonly Address[],
  nativeCurrency: string,
  block: BlockRef,
): Promise<Map<Address, PricedToken>> {
  const plan = planOf(scope.row, 'tokens');
  const slots = tokens.map((address) => ({
    address,
    token: address === zeroAddress ? nativeToken(nativeCurrency) : addToken(plan, address),
    usd: family.addUsdPrice(plan, scope, source, address),
  }));
  const priced = plan.build((results) =>
    slots.flatMap(({ address, token, usd }): [Address, PricedToken][] => {
      const known = token(results);
      return known ? [[address, { ...known, usdRaw: usd(results) }]] : [];
    }),
  );
  return new Map(await scope.multicall.read(priced, block));
}

function nativeToken(symbol: string): () => Token {
  return () => ({ address: zeroAddress, symbol, decimals: NATIVE_DECIMALS });
}

/** The parts that all readers of a chain use together. */
export interface ActivityParts {
  client: ChainClient;
  multicall: Multicall;
  usdOracles: readonly UsdOracle[];
  nativeCurrency: string;
}
