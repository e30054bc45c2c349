import {
  allMarkets,
  type BlockRef,
  ChainReadError,
  type ChainReadCode,
  type ContractRow,
  lowerCase,
  type MarketRow,
  type Multicall,
  optionalContractOf,
  type ProtocolRegistry,
} from '@plimsoll/evm';
import { isAddress, type Address } from 'viem';
import type { HoldingsIndex } from '../reader/family';
import type { MarketList } from './market-list';

/** Bounds of the lists of a chain. Times are in seconds of its blocks. */
export interface ListBounds {
  /** The time between two reads of a list. */
  everySeconds: bigint;
  /** The time before a list that could not be read is tried again. */
  retrySeconds: bigint;
  /** The age at which a list counts as incomplete. */
  staleSeconds: bigint;
  /** The deadline of one read. */
  deadlineMs: number;
  /** The most markets of one root. */
  maxMarkets: number;
}

/** A list that is read again after half an hour has every market within an hour, also after one failure. */
const BOUNDS: ListBounds = {
  everySeconds: 1_800n,
  retrySeconds: 60n,
  staleSeconds: 3_600n,
  deadlineMs: 30_000,
  maxMarkets: 1_000,
};

/** One root with the state of its list. */
interface RootState {
  list: MarketList;
  root: Address;
  row: MarketRow;
  /** Null until the list was read once. */
  readAt: bigint | null;
  dueAt: bigint;
  failure: ChainReadCode | null;
}

/** A list that is missing or out of date. `reason` is null before its first read. */
export interface IncompleteList {
  /** The root as a row. */
  row: MarketRow;
  reason: ChainReadCode | null;
}

/** The changes since the last read of the lists. */
export interface RefreshedLists {
  /** The rows of markets that no list had before. */
  added: readonly MarketRow[];
  /** The lists that could not be read. Their markets of the last read stay. */
  failing: readonly IncompleteList[];
}

/**
 * The markets of one chain: the rows of the registry, and those that the chain lists beside them. A listed
 * market has the address of its identity as its name. It stays when a list can no longer be read.
 */
export class MarketLists {
  private readonly known: MarketRow[];
  private readonly roots: RootState[];
  private readonly bounds: ListBounds;
  private isReading = false;

  /** @param lists by family. Lists that need an index are omitted without one. */
  constructor(
    registry: ProtocolRegistry,
    lists: Readonly<Record<string, MarketList>>,
    private readonly parts: { chainId: number; multicall: Multicall; index?: HoldingsIndex },
    bounds: Partial<ListBounds> = {},
  ) {
    this.bounds = { ...BOUNDS, ...bounds };
    const { chainId, index } = parts;
    this.known = allMarkets(registry, chainId);
    this.roots = registry.protocols.flatMap(({ id: protocol, chains }) =>
      Object.entries(lists)
        .filter(([, { needsIndex }]) => !needsIndex || index)
        .flatMap(([family, list]) =>
          rootsOf(chains[String(chainId)]?.[list.root]).map((root): RootState => {
            const row = { protocol, family, chainId, market: list.root, contracts: { [list.root]: root } };
            return { list, root, row, readAt: null, dueAt: 0n, failure: null };
          }),
        ),
    );
  }

  /** The rows of the registry and the listed ones. */
  get rows(): readonly MarketRow[] {
    return this.known;
  }

  /**
   * Reads the lists that are due at the block. Null if none is, or while a read is in progress. Never rejects
   * because of a chain.
   */
  async refresh(block: BlockRef): Promise<RefreshedLists | null> {
    const due = this.roots.filter(({ dueAt }) => dueAt <= block.timestamp);
    if (this.isReading || due.length === 0) return null;
    this.isReading = true;
    try {
      const found = await Promise.all(due.map((state) => this.read(state, block)));
      const failing = this.roots.filter(({ failure }) => failure !== null);
      return {
        added: found.flat(),
        failing: failing.map(({ row, failure: reason }) => ({ row, reason })),
      };
    } finally {
      this.isReading = false;
    }
  }

  /** The lists that are missing or out of date at a time, in seconds. */
  incomplete(now: bigint): IncompleteList[] {
    return this.roots
      .filter(({ readAt }) => readAt === null || now - readAt > this.bounds.staleSeconds)
      .map(({ row, failure: reason }) => ({ row, reason }));
  }

  private async read(state: RootState, block: BlockRef): Promise<MarketRow[]> {
    const { everySeconds, retrySeconds } = this.bounds;
    try {
      const listed = await this.readList(state, block);
      state.readAt = block.timestamp;
      state.failure = null;
      state.dueAt = block.timestamp + everySeconds;
      return this.add(state, listed);
    } catch (error) {
      if (!(error instanceof ChainReadError)) throw error;
      state.failure = error.code;
      state.dueAt = block.timestamp + retrySeconds;
      return [];
    }
  }

  private async readList({ list, root, row }: RootState, block: BlockRef): Promise<readonly ContractRow[]> {
    const { chainId, multicall, index } = this.parts;
    const { deadlineMs, maxMarkets } = this.bounds;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const message = `the markets of ${row.protocol} were not listed within ${deadlineMs} ms: check RPC_URL_${chainId}`;
      const fail = (): void => reject(new ChainReadError('rpc_unavailable', chainId, message));
      timer = setTimeout(fail, deadlineMs).unref();
    });
    try {
      const listed = await Promise.race([
        list.read({ row, multicall, ...(index && { index }) }, root, block),
        late,
      ]);
      if (listed.length <= maxMarkets) return listed;
      const message = `${root} lists ${listed.length} markets of ${row.protocol}: check the registry's ${list.root}`;
      throw new ChainReadError('unknown_layout', chainId, message);
    } finally {
      clearTimeout(timer);
    }
  }

  private add({ list: { identity }, row }: RootState, listed: readonly ContractRow[]): MarketRow[] {
    const { protocol, family, chainId } = row;
    const isKnown = (address: Address): boolean =>
      this.known.some(
        (each) => each.protocol === protocol && optionalContractOf(each.contracts, identity) === address,
      );
    const added: MarketRow[] = [];
    for (const contracts of listed) {
      const market = optionalContractOf(contracts, identity);
      if (!market || isKnown(market)) continue;
      const found = { protocol, family, chainId, market, contracts };
      this.known.push(found);
      added.push(found);
    }
    return added;
  }
}

function rootsOf(value: unknown): Address[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((each) => (typeof each === 'string' && isAddress(each) ? [lowerCase(each)] : []));
}
