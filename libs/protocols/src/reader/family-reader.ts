import {
  readLogs,
  type Multicall,
  type BlockRef,
  type MarketRow,
  type ChainClient,
  ChainReadError,
  chainReadCode,
  type ChainReadCode,
  lowerCase,
  subjectOf,
} from '@plimsoll/evm';
import type { Address } from 'viem';
import { confirmPosition, differences } from './confirm';
import { unreadablePosition } from './legs';
import type {
  EvaluatedPosition,
  Family,
  HeldAccount,
  Holder,
  IndexSource,
  MarketAtBlock,
  ReadScope,
  HoldingsIndex,
} from './family';
import { type Announcements, NO_ANNOUNCEMENTS, effectsOf } from './announcements';
import type { AssetRates } from './asset-rates';
import { IndexedSources } from './indexed-sources';
import type { MarketTotals, ReserveKey, ReserveState } from './market-totals';
import type {
  AccountsRead,
  Mismatch,
  PositionsRead,
  Probe,
  ProtocolReader,
  ReadChange,
  TouchedWallets,
} from './protocol-reader';
import type { Ratios } from './ratios';
import type { RawPosition } from './raw-position';
import { indexRow } from './timelock';
import type { UsdOracle } from './usd-price';

/** The dependencies of a reader, beside its family and row. */
export interface ReaderParts {
  client: ChainClient;
  multicall: Multicall;
  usdOracles?: readonly UsdOracle[];
  /** Default: ETH. */
  nativeCurrency?: string;
  /** Needed by families without enumeration by wallet. */
  index?: HoldingsIndex;
}

/**
 * A contract that failed while a layout was read may work later. As long as a position cannot be read, the layout is read again
 * after this time, in seconds of the chain.
 */
const REPAIR_SECONDS = 600n;

/** Reads one row of the registry with its family. Addresses of wallets are returned in lower case. */
export class FamilyReader<
  Layout,
  Market extends MarketAtBlock,
  Account extends HeldAccount,
> implements ProtocolReader<Market, Account> {
  readonly hasRates: boolean;
  readonly hasAnnouncements: boolean;
  readonly ratios?: Ratios<Market, Account>;
  private readonly scope: ReadScope;
  /** The newest market. It contains the contracts with balances. */
  private market: Market | undefined;
  private layout: { value: Layout; keys: ReadonlySet<string>; block: BlockRef } | undefined;
  /** Whether a position could not be read since the layout was: a part of the layout may be missing. */
  private isIncomplete = false;
  /** The layout keys that the known accounts need. */
  private readonly keys = new Set<string>();
  private loading: Promise<void> | undefined;
  /** The contracts whose logs were read. */
  private logContracts: string | undefined;
  private readonly indexed: IndexedSources;

  constructor(
    private readonly family: Family<Layout, Market, Account>,
    readonly row: MarketRow,
    private readonly parts: ReaderParts,
  ) {
    const { multicall, usdOracles = [], nativeCurrency = 'ETH' } = parts;
    this.scope = { row, multicall, usdOracles, nativeCurrency };
    this.indexed = new IndexedSources(row, parts.index);
    this.hasRates = family.readRates !== undefined;
    this.hasAnnouncements = family.readAnnouncements !== undefined;
    if (family.ratios) this.ratios = family.ratios;
  }

  async probe(block: BlockRef): Promise<Probe> {
    try {
      await this.readMarket(block);
      return { ok: true };
    } catch (error) {
      const reason = chainReadCode(error);
      const message = `${subjectOf(this.row, 'probe')} failed: ${reason}; check its registry row`;
      return { ok: false, reason, message };
    }
  }

  async readMarket(block: BlockRef): Promise<Market> {
    if (this.isIncomplete && this.layout && block.timestamp - this.layout.block.timestamp >= REPAIR_SECONDS)
      this.layout = undefined;
    if (this.layout && this.market?.block.hash === block.hash && this.hasAllKeys()) return this.market;
    const { layout } = this;
    const known =
      layout && this.hasAllKeys() ? await this.family.readMarket(this.scope, layout.value, block) : null;
    if (known) return (this.market = known);
    const { value } = await this.loadLayout(block);
    const market = await this.family.readMarket(this.scope, value, block);
    if (market) return (this.market = market);
    const message = `${subjectOf(this.row, 'layout')} differs within one block`;
    throw new ChainReadError('unknown_layout', this.row.chainId, message);
  }

  shareMarket(from: ProtocolReader<Market, Account>, block: BlockRef): void {
    if (!(from instanceof FamilyReader)) return;
    const { market, layout } = from as FamilyReader<Layout, Market, Account>;
    if (!layout || market?.block.hash !== block.hash) return;
    this.market = market;
    this.layout = layout;
  }

  async readAccounts(wallets: readonly Address[], block: BlockRef): Promise<AccountsRead<Account>> {
    const market = async (): Promise<Market> =>
      this.market?.block.hash === block.hash ? this.market : this.readMarket(block);
    const holders = await this.holdersWithProxies(wallets.map(lowerCase), block, market);
    const { accounts, failed } = await this.family.readAccounts(this.scope, holders, block, market);
    for (const { keys } of accounts.values()) for (const key of keys ?? []) this.keys.add(key);
    return { accounts, unreadable: this.unreadable('call_failed', failed) };
  }

  evaluate(market: Market, account: Account): RawPosition[] | null {
    return this.evaluated(market, account)?.positions ?? null;
  }

  async confirm(positions: readonly RawPosition[], block: BlockRef): Promise<PositionsRead> {
    return this.orUnreadable(async () => {
      if (this.family.planFigures) return this.compare(positions, await this.readMarket(block), block);
      const wallets = [...new Set(positions.map(({ wallet }) => wallet))];
      const read = await this.readFully(wallets, block);
      return { ...read, mismatches: [...read.mismatches, ...differences(positions, read)] };
    });
  }

  async readPositions(wallets: readonly Address[], block: BlockRef): Promise<PositionsRead> {
    return this.orUnreadable(() => this.readFully(wallets, block));
  }

  async readTouchedWallets(
    fromBlock: bigint,
    toBlock: bigint,
    after: Promise<Market>,
  ): Promise<TouchedWallets> {
    const { touched, opened } = this.family;
    const logsOf = touched ?? opened;
    if (!logsOf) return 'all';
    if (!this.market) {
      const message = `${subjectOf(this.row, 'market')} is not read yet: call readMarket first`;
      throw new ChainReadError('unknown_layout', this.row.chainId, message);
    }
    const { walletsOf, ...filter } = logsOf(this.market);
    const contracts = filter.addresses.join();
    const isKnown = contracts === (this.logContracts ?? contracts);
    this.logContracts = contracts;
    // The earlier logs of a contract are unknown at its first read.
    if (!isKnown) return 'all';
    const wallets = new Set<Address>();
    for await (const { logs } of readLogs(this.parts.client, filter, fromBlock, toBlock))
      for (const log of logs) for (const wallet of walletsOf(log)) wallets.add(wallet);
    // A contract that was created in these blocks is only in the market after them.
    this.logContracts = logsOf(await after).addresses.join();
    if (this.logContracts !== contracts) return 'all';
    return touched ? [...wallets] : { opened: [...wallets] };
  }

  async readTotals(block: BlockRef): Promise<MarketTotals | null> {
    if (this.family.readTotals)
      return this.family.readTotals(this.scope, block, (address) => this.filedUnder(address, block));
    if (!this.family.planTotals) return null;
    const market = await this.readMarket(block);
    return this.parts.multicall.read(this.family.planTotals(this.scope, market), block);
  }

  async readRates(block: BlockRef): Promise<readonly AssetRates[] | null> {
    if (!this.family.readRates) return null;
    return this.family.readRates(
      this.scope,
      block,
      () => this.readMarket(block),
      (address) => this.filedUnder(address, block),
    );
  }

  async readAnnouncements(
    block: BlockRef,
    accounts: readonly Account[],
  ): Promise<Announcements<ReadChange<Account>>> {
    if (!this.family.readAnnouncements) return NO_ANNOUNCEMENTS;
    const market = await this.readMarket(block);
    const entriesOf = async (source: IndexSource, address: Address): Promise<readonly string[]> => {
      const row = indexRow(this.row, source.name ?? address);
      const occasional = { ...source, isOccasional: true };
      return (await this.indexed.index().subIdsOf(row, occasional, [address], block)).get(address) ?? [];
    };
    const scope = { ...this.scope, client: this.parts.client, entriesOf };
    const { changes, ended } = await this.family.readAnnouncements(scope, market, accounts);
    const ownFigures = (at: { market: Market; account: Account }): EvaluatedPosition[] | null =>
      this.family.evaluate(this.row, at.market, at.account);
    return {
      ended,
      changes: changes.map(({ after, concerns, ...change }) => ({
        ...change,
        effectsOn: (account) =>
          concerns?.(account) === false
            ? []
            : effectsOf(change, ownFigures({ market, account }) ?? [], after && ownFigures(after(account))),
      })),
    };
  }

  async readReserve(key: ReserveKey, block: BlockRef): Promise<ReserveState | null> {
    if (!this.family.readReserve) return null;
    // A separate market is read as soon as an account needs it.
    if (key.subId !== '') this.keys.add(key.subId);
    return this.family.readReserve(this.scope, await this.readMarket(block), key);
  }

  private async filedUnder(address: Address, block: BlockRef): Promise<readonly string[]> {
    const [holder] = await this.holdersOf([address], block);
    return holder!.subIds;
  }

  private async readFully(wallets: readonly Address[], block: BlockRef): Promise<PositionsRead> {
    const read = await this.readOnce(wallets, block);
    // A layout can change without any log, so a mismatch may come from one of an earlier block.
    if (read.mismatches.length === 0 || this.layout?.block.hash === block.hash) return read;
    this.layout = undefined;
    return this.readOnce(wallets, block);
  }

  private async readOnce(wallets: readonly Address[], block: BlockRef): Promise<PositionsRead> {
    const { accounts, unreadable } = await this.readAccounts(wallets, block);
    const market = await this.readMarket(block);
    const evaluated = [...accounts].map(([wallet, account]) => ({
      wallet,
      read: this.evaluated(market, account),
    }));
    const failed = evaluated.filter(({ read }) => read === null).map(({ wallet }) => wallet);
    const read = await this.compare(
      evaluated.flatMap((each) => each.read?.positions ?? []),
      market,
      block,
    );
    const mismatches = [...evaluated.flatMap((each) => each.read?.mismatches ?? []), ...read.mismatches];
    return {
      ...read,
      mismatches,
      unreadable: [...unreadable, ...this.unreadable('call_failed', failed), ...read.unreadable],
    };
  }

  /** The positions of an account, with what the contract stated of them in the same read. */
  private evaluated(
    market: Market,
    account: Account,
  ): Pick<PositionsRead, 'positions' | 'mismatches'> | null {
    const evaluated = this.family.evaluate(this.row, market, account);
    if (!evaluated?.every(({ unreadable }) => unreadable === undefined)) this.isIncomplete = true;
    if (!evaluated) return null;
    const mismatches: Mismatch[] = [];
    const positions = evaluated.map((each) => {
      if (each.stated === undefined) return each;
      const { stated, ...own } = each;
      const confirmed = confirmPosition(own, stated);
      mismatches.push(...confirmed.mismatches);
      return confirmed.position;
    });
    return { positions, mismatches };
  }

  private async compare(
    positions: readonly RawPosition[],
    market: Market,
    block: BlockRef,
  ): Promise<PositionsRead> {
    const readable = positions.filter(({ unreadable }) => unreadable === undefined);
    const plan = readable.length > 0 && this.family.planFigures?.(this.scope, market, readable);
    if (!plan) return { positions: [...positions], unreadable: [], mismatches: [] };
    const figures = await this.parts.multicall.read(plan, block);
    const read: PositionsRead = {
      positions: positions.filter(({ unreadable }) => unreadable !== undefined),
      unreadable: [],
      mismatches: [],
    };
    readable.forEach((position, index) => {
      const contract = figures[index];
      const { wallet, subId } = position;
      if (!contract?.ok) return void read.positions.push(unreadablePosition(this.row, block, wallet, subId));
      const confirmed = confirmPosition(position, contract.value);
      read.positions.push(confirmed.position);
      read.mismatches.push(...confirmed.mismatches);
    });
    return read;
  }

  private async holdersWithProxies(
    wallets: readonly Address[],
    block: BlockRef,
    market: () => Promise<Market>,
  ): Promise<Holder[]> {
    const holders = await this.holdersOf(wallets, block);
    const proxies = await this.family.proxiesOf?.(this.scope, wallets, block, market);
    if (!proxies) return holders;
    const held = await this.holdersOf([...new Set([...proxies.values()].flat())], block);
    const byAddress = new Map(held.map((holder) => [holder.wallet, holder]));
    return holders.map((holder) => ({
      ...holder,
      proxies: (proxies.get(holder.wallet) ?? []).map((proxy) => byAddress.get(proxy)!),
    }));
  }

  private async holdersOf(wallets: readonly Address[], block: BlockRef): Promise<Holder[]> {
    if (!this.family.index) return wallets.map((wallet) => ({ wallet, subIds: [] }));
    const list = () => this.family.index!(this.scope, block);
    const subIds = await this.indexed.subIdsOf(wallets, block, this.layout, list);
    return wallets.map((wallet, at) => ({ wallet, subIds: subIds[at]! }));
  }

  private hasAllKeys(): boolean {
    return [...this.keys].every((key) => this.layout?.keys.has(key));
  }

  /** Callers that find the layout outdated at the same time share one read of it. */
  private async loadLayout(block: BlockRef): Promise<{ value: Layout }> {
    const load = async (): Promise<void> => {
      const keys = [...this.keys];
      const value = await this.family.readLayout(this.scope, block, keys);
      this.layout = { value, keys: new Set(keys), block };
      this.isIncomplete = false;
    };
    do {
      this.loading ??= load().finally(() => (this.loading = undefined));
      await this.loading;
    } while (!this.layout || !this.hasAllKeys());
    return this.layout;
  }

  private async orUnreadable(read: () => Promise<PositionsRead>): Promise<PositionsRead> {
    try {
      return await read();
    } catch (error) {
      const { protocol, chainId, market } = this.row;
      const reason = chainReadCode(error);
      return {
        positions: [],
        unreadable: [{ protocol, chainId, market, reason, wallets: [] }],
        mismatches: [],
      };
    }
  }

  private unreadable(reason: ChainReadCode, wallets: readonly Address[]): PositionsRead['unreadable'] {
    const { protocol, chainId, market } = this.row;
    return wallets.length === 0 ? [] : [{ protocol, chainId, market, reason, wallets }];
  }
}
