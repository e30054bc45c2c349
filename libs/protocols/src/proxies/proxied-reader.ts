import type { ProxyKind } from '@plimsoll/contracts';
import { type BlockRef, chainReadCode, type MarketRow } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { HeldAccount, MarketAtBlock } from '../reader/family';
import { unreadablePosition } from '../reader/legs';
import type { Announcements } from '../reader/announcements';
import type { AssetRates } from '../reader/asset-rates';
import type { MarketTotals, ReserveKey, ReserveState } from '../reader/market-totals';
import type {
  AccountsRead,
  PositionsRead,
  Probe,
  ProtocolReader,
  ReadChange,
  TouchedWallets,
} from '../reader/protocol-reader';
import type { Ratios } from '../reader/ratios';
import type { RawPosition } from '../reader/raw-position';
import type { OwnedProxies, OwnerProxies } from './owner-proxies';
import { ALL_PROXIES, ownSubId, proxiedSubId, type Proxy } from '../reader/proxy';

/** The account of a wallet with those of its proxies. */
export interface ProxiedAccount<Account> {
  wallet: Address;
  own: Account;
  /** `account` is null if it could not be read. */
  behind: readonly { proxy: Proxy; account: Account | null }[];
  /** Whether all registries of proxies were read. */
  isComplete: boolean;
}

const RETRY_BLOCKS = 25n;

/** The owner of an address's positions: the address itself, or an owner by a proxy. */
interface Holding {
  owner: Address;
  proxy: Proxy | null;
}

/**
 * Reads the positions of wallets together with those that their proxies hold. Such a position belongs to the
 * wallet, names the proxy, and has it in its sub-id.
 */
export class ProxiedReader<
  Market extends MarketAtBlock,
  Account extends HeldAccount,
> implements ProtocolReader<Market, ProxiedAccount<Account>> {
  readonly row: MarketRow;
  readonly hasRates: boolean;
  readonly hasAnnouncements: boolean;
  readonly ratios?: Ratios<Market, ProxiedAccount<Account>>;
  /**
   * The owners of each proxy whose accounts were read. A read of positions, such as a scan, adds none: the
   * wallets of scans have no bound.
   */
  private readonly owners = new Map<Address, Set<Address>>();
  /** The wallets of which a registry could not be read last, and the block at which they were named again. */
  private readonly incomplete = new Set<Address>();
  private retriedAt = 0n;

  /** @param skipped kinds that the family itself reads */
  constructor(
    private readonly inner: ProtocolReader<Market, Account>,
    private readonly ownerProxies: Pick<OwnerProxies, 'of'>,
    private readonly skipped: readonly ProxyKind[] = [],
  ) {
    this.row = inner.row;
    const { ratios } = inner;
    this.hasRates = inner.hasRates;
    this.hasAnnouncements = inner.hasAnnouncements;
    if (ratios)
      this.ratios = {
        shapeOf: (market) => ratios.shapeOf(market),
        unitValuesOf: (market) => ratios.unitValuesOf(market),
        ratiosOf: (market, account, position) => {
          const inner = asInner(position);
          const held = inner === position ? account.own : accountOf(account, inner.wallet);
          return held && ratios.ratiosOf(market, held, inner);
        },
      };
  }

  probe(block: BlockRef): Promise<Probe> {
    return this.inner.probe(block);
  }

  readMarket(block: BlockRef): Promise<Market> {
    return this.inner.readMarket(block);
  }

  shareMarket(from: ProtocolReader<Market, ProxiedAccount<Account>>, block: BlockRef): void {
    if (from instanceof ProxiedReader)
      this.inner.shareMarket?.((from as ProxiedReader<Market, Account>).inner, block);
  }

  async readAccounts(
    wallets: readonly Address[],
    block: BlockRef,
  ): Promise<AccountsRead<ProxiedAccount<Account>>> {
    const owned = await this.proxiesOf(wallets, block);
    const { accounts, unreadable } = await this.inner.readAccounts(withProxies(owned), block);
    const read = new Map<Address, ProxiedAccount<Account>>();
    for (const [wallet, { proxies, isComplete }] of owned) {
      const own = accounts.get(wallet);
      if (isComplete) this.incomplete.delete(wallet);
      else this.incomplete.add(wallet);
      for (const { address } of proxies)
        this.owners.set(address, (this.owners.get(address) ?? new Set<Address>()).add(wallet));
      if (own === undefined) continue;
      const behind = proxies.map((proxy) => ({ proxy, account: accounts.get(proxy.address) ?? null }));
      read.set(wallet, { wallet, own, behind, isComplete });
    }
    // Failures of proxies are in the accounts.
    const failed = unreadable.flatMap((part) => {
      const own = part.wallets.filter((wallet) => owned.has(wallet));
      return part.wallets.length > 0 && own.length === 0 ? [] : [{ ...part, wallets: own }];
    });
    return { accounts: read, unreadable: failed };
  }

  evaluate(
    market: Market,
    { wallet, own, behind, isComplete }: ProxiedAccount<Account>,
  ): RawPosition[] | null {
    const positions = this.inner.evaluate(market, own);
    if (!positions) return null;
    const proxied = behind.flatMap(({ proxy, account }) => {
      const held = account && this.inner.evaluate(market, account);
      if (!held) return [this.unreadable(market.block, wallet, proxiedSubId('', proxy.address))];
      return held.map((position) => asOuter(position, { owner: wallet, proxy }));
    });
    const unknown = isComplete ? [] : [this.unreadable(market.block, wallet, ALL_PROXIES)];
    return [...positions, ...proxied, ...unknown];
  }

  async confirm(positions: readonly RawPosition[], block: BlockRef): Promise<PositionsRead> {
    const holdings = new Map<Address, Holding[]>();
    const asked = new Map<string, RawPosition>();
    const kept: RawPosition[] = [];
    for (const position of positions) {
      if (position.unreadable !== undefined) {
        kept.push(position);
        continue;
      }
      const inner = asInner(position);
      asked.set(`${inner.wallet} ${inner.subId}`, inner);
      const proxy = inner === position ? null : (position.proxy ?? null);
      addHolding(holdings, inner.wallet, { owner: position.wallet, proxy });
    }
    const read = await this.inner.confirm([...asked.values()], block);
    const outer = this.outerRead(read, holdings, block);
    return { ...outer, positions: [...outer.positions, ...kept] };
  }

  async readPositions(wallets: readonly Address[], block: BlockRef): Promise<PositionsRead> {
    let owned: Map<Address, OwnedProxies>;
    try {
      owned = await this.proxiesOf(wallets, block);
    } catch (error) {
      const { protocol, chainId, market } = this.row;
      const part = { protocol, chainId, market, reason: chainReadCode(error), wallets: [] };
      return { positions: [], unreadable: [part], mismatches: [] };
    }
    const holdings = new Map<Address, Holding[]>();
    const unknown: RawPosition[] = [];
    for (const [wallet, { proxies, isComplete }] of owned) {
      addHolding(holdings, wallet, { owner: wallet, proxy: null });
      for (const proxy of proxies) addHolding(holdings, proxy.address, { owner: wallet, proxy });
      if (!isComplete) unknown.push(this.unreadable(block, wallet, ALL_PROXIES));
    }
    const read = this.outerRead(await this.inner.readPositions(withProxies(owned), block), holdings, block);
    return { ...read, positions: [...read.positions, ...unknown] };
  }

  async readTouchedWallets(
    fromBlock: bigint,
    toBlock: bigint,
    after: Promise<Market>,
  ): Promise<TouchedWallets> {
    const touched = await this.inner.readTouchedWallets(fromBlock, toBlock, after);
    if (touched === 'all') return 'all';
    const again = this.incompleteAt(toBlock);
    const withOwners = (wallets: readonly Address[]): Address[] => [
      ...new Set([...again, ...wallets.flatMap((wallet) => [wallet, ...(this.owners.get(wallet) ?? [])])]),
    ];
    return 'opened' in touched ? { opened: withOwners(touched.opened) } : withOwners(touched);
  }

  readTotals(block: BlockRef): Promise<MarketTotals | null> {
    return this.inner.readTotals(block);
  }

  readRates(block: BlockRef): Promise<readonly AssetRates[] | null> {
    return this.inner.readRates(block);
  }

  async readAnnouncements(
    block: BlockRef,
    accounts: readonly ProxiedAccount<Account>[],
  ): Promise<Announcements<ReadChange<ProxiedAccount<Account>>>> {
    const inner = accounts.flatMap(({ own, behind }) => [
      own,
      ...behind.flatMap(({ account }) => account ?? []),
    ]);
    const { changes, ended } = await this.inner.readAnnouncements(block, inner);
    return {
      ended,
      changes: changes.map((change) => ({
        ...change,
        effectsOn: ({ own, behind }) => [
          ...change.effectsOn(own),
          ...behind.flatMap(({ proxy, account }) =>
            (account === null ? [] : change.effectsOn(account)).map((effect) => ({
              ...effect,
              subId: proxiedSubId(effect.subId, proxy.address),
            })),
          ),
        ],
      })),
    };
  }

  readReserve(key: ReserveKey, block: BlockRef): Promise<ReserveState | null> {
    return this.inner.readReserve({ ...key, subId: ownSubId(key.subId) }, block);
  }

  /** Wallets whose proxies are incomplete are read again after some blocks, though no log names them. */
  private incompleteAt(block: bigint): readonly Address[] {
    if (this.incomplete.size === 0 || block - this.retriedAt < RETRY_BLOCKS) return [];
    this.retriedAt = block;
    return [...this.incomplete];
  }

  private async proxiesOf(wallets: readonly Address[], block: BlockRef): Promise<Map<Address, OwnedProxies>> {
    const owned = await this.ownerProxies.of(wallets, block);
    return new Map(
      [...owned].map(([wallet, { proxies, isComplete }]) => {
        const read = proxies.filter(({ kind }) => !this.skipped.includes(kind));
        return [wallet, { proxies: read, isComplete }];
      }),
    );
  }

  /**
   * A read of addresses as one of their owners. A proxy that could not be read makes the positions behind it
   * unreadable, and no others.
   */
  private outerRead(
    { positions, unreadable, mismatches }: PositionsRead,
    holdings: ReadonlyMap<Address, readonly Holding[]>,
    block: BlockRef,
  ): PositionsRead {
    const of = (address: Address): readonly Holding[] => holdings.get(address) ?? [];
    const failed = unreadable.flatMap(({ wallets }) => wallets).flatMap(of);
    return {
      positions: [
        ...positions.flatMap((position) => of(position.wallet).map((holding) => asOuter(position, holding))),
        ...failed.flatMap(({ owner, proxy }) =>
          proxy ? [this.unreadable(block, owner, proxiedSubId('', proxy.address))] : [],
        ),
      ],
      unreadable: unreadable
        .map((part) => ({ part, own: part.wallets.filter((each) => of(each).some(({ proxy }) => !proxy)) }))
        .filter(({ part, own }) => part.wallets.length === 0 || own.length > 0)
        .map(({ part, own }) => ({ ...part, wallets: own })),
      mismatches: mismatches.flatMap((mismatch) =>
        of(mismatch.wallet).map(({ owner }) => ({ ...mismatch, wallet: owner })),
      ),
    };
  }

  private unreadable(block: BlockRef, wallet: Address, subId: string): RawPosition {
    return unreadablePosition(this.row, block, wallet, subId);
  }
}

function accountOf<Account>({ behind }: ProxiedAccount<Account>, proxy: Address): Account | null {
  return behind.find((each) => each.proxy.address === proxy)?.account ?? null;
}

function asOuter(position: RawPosition, { owner, proxy }: Holding): RawPosition {
  if (!proxy) return position;
  return { ...position, wallet: owner, subId: proxiedSubId(position.subId, proxy.address), proxy };
}

/** The position as its family reads it. Itself if no proxy of ours holds it. */
function asInner(position: RawPosition): RawPosition {
  const { proxy, ...rest } = position;
  if (!proxy || !position.subId.endsWith(proxiedSubId('', proxy.address))) return position;
  return { ...rest, wallet: proxy.address, subId: ownSubId(position.subId) };
}

function withProxies(owned: ReadonlyMap<Address, OwnedProxies>): Address[] {
  const proxies = [...owned.values()].flatMap((each) => each.proxies.map(({ address }) => address));
  return [...new Set([...owned.keys(), ...proxies])];
}

function addHolding(holdings: Map<Address, Holding[]>, address: Address, holding: Holding): void {
  const held = holdings.get(address) ?? [];
  const isKnown = held.some(
    ({ owner, proxy }) => owner === holding.owner && proxy?.address === holding.proxy?.address,
  );
  if (!isKnown) held.push(holding);
  holdings.set(address, held);
}
