import type {
  ChainClient,
  ChainLog,
  LogFilter,
  BlockRef,
  Multicall,
  Outcome,
  ReadPlan,
  MarketRow,
} from '@plimsoll/evm';
import type { Address } from 'viem';
import type { AnnouncedChange, Announcements } from './announcements';
import type { AssetRates } from './asset-rates';
import type { MarketTotals, ReserveKey, ReserveState } from './market-totals';
import type { Ratios } from './ratios';
import type { RawPosition } from './raw-position';
import type { UsdOracle } from './usd-price';

/** The clients and the registry row with which a family reads. */
export interface ReadScope {
  row: MarketRow;
  multicall: Multicall;
  /**
   * Oracles of the chain that price tokens in dollars: for protocols that do not count in dollars.
   */
  usdOracles: readonly UsdOracle[];
  /** Symbol of the chain's own coin, for protocols that lend it without a token. */
  nativeCurrency: string;
}

/** The values that every read of a row needs. */
export type RowScope = Pick<ReadScope, 'row' | 'multicall'>;

/** A wallet with its sub-ids in the index. None if the family lists a wallet's positions itself. */
export interface Holder {
  wallet: Address;
  subIds: readonly string[];
  /** The contracts that hold for the wallet, with their own sub-ids. Absent if the family has none. */
  proxies?: readonly Omit<Holder, 'proxies'>[];
}

/** Accounts of the wallets that could be read completely, and the wallets with a failed call. */
export interface AccountsResult<Account> {
  accounts: Map<Address, Account>;
  failed: Address[];
}

/** The data of a market that changes with the block. */
export interface MarketAtBlock {
  block: BlockRef;
}

/** The holdings of a wallet. */
export interface HeldAccount {
  wallet: Address;
  /**
   * Parts of the market that this account needs and not every account does: ids of Morpho markets, vaults.
   */
  keys?: readonly string[];
}

/** The contract's own figures of a position. Missing ones are omitted. */
export interface ContractFigures {
  totalCollateral?: bigint;
  totalDebt?: bigint;
  /** Null without debt. */
  healthFactor?: bigint | null;
  /** Set if the contract computed them at an approximate price that we passed. */
  isApproximate?: true;
  /** Whether anyone may liquidate the position, by a contract that states no health factor. */
  isLiquidatable?: boolean;
}

/** A position by our arithmetic, with what its contract stated in the same read. */
export interface EvaluatedPosition extends RawPosition {
  /** Takes precedence over our figures. Absent if the accounts of the family have no such value. */
  stated?: ContractFigures;
}

/** Logs from which a wallet's sub-ids are read, if the protocol has no call that lists them. */
export interface IndexSource extends LogFilter {
  /**
   * Identifies the source among the row's sources, each of which is read separately. One source may be
   * unnamed.
   */
  name?: string;
  /** Sub-ids whose contracts cannot be read, so that every wallet may hold something there. Default: none. */
  unread?: readonly string[];
  /** The entries that a log adds: a wallet that may hold something in a sub-id. */
  entriesOf(log: ChainLog): readonly { wallet: Address; subId: string }[];
  /**
   * The address under which a wallet's entries are indexed, if the logs do not name the wallet itself.
   * Default: its own.
   */
  filedUnder?(wallet: Address): Address;
  /** Whether it is read at times of its own. The index then does not read it with each block. Default: false. */
  isOccasional?: boolean;
}

/** The dependencies of reading announcements, beside a market. */
export interface AnnouncementScope extends ReadScope {
  client: ChainClient;
  /** The entries of an index of logs under an address, as of the block or later. @throws ChainReadError index_behind */
  entriesOf(source: IndexSource, address: Address, block: BlockRef): Promise<readonly string[]>;
}

/** Reads what governance announced for a market. */
export type ReadAnnouncements<Market, Account> = (
  scope: AnnouncementScope,
  market: Market,
  accounts: readonly Account[],
) => Promise<Announcements<AnnouncedChange<Market, Account>>>;

/**
 * One family of protocols: its reads and its arithmetic. FamilyReader does the rest
 * (docs/guides/adding-a-protocol.md). Addresses of wallets and tokens are returned in lower case.
 */
export interface Family<Layout, Market extends MarketAtBlock, Account extends HeldAccount> {
  /**
   * The part of a market that only governance changes: lists of assets, their tokens and decimals. It is read
   * once, and again when readMarket returns null or accounts need more `keys`. @throws ChainReadError
   */
  readLayout(scope: ReadScope, block: BlockRef, keys: readonly string[]): Promise<Layout>;
  /** The values that change with the block. Null when the layout is out of date. @throws ChainReadError */
  readMarket(scope: ReadScope, layout: Layout, block: BlockRef): Promise<Market | null>;
  /**
   * The contracts that hold for wallets and belong to their accounts: vaults or proxies that a contract of the row
   * names. Absent if wallets hold everything themselves. @throws ChainReadError
   */
  proxiesOf?(
    scope: ReadScope,
    wallets: readonly Address[],
    block: BlockRef,
    market: () => Promise<Market>,
  ): Promise<ReadonlyMap<Address, readonly Address[]>>;
  /** The holdings of the wallets. @throws ChainReadError when the read fails as a whole */
  readAccounts(
    scope: ReadScope,
    holders: readonly Holder[],
    block: BlockRef,
    market: () => Promise<Market>,
  ): Promise<AccountsResult<Account>>;
  /**
   * None when it holds nothing. One that could not be read is an unreadablePosition. Null when that may be any of
   * them. Pure.
   */
  evaluate(row: MarketRow, market: Market, account: Account): EvaluatedPosition[] | null;
  /**
   * The contract's own figures of each position, in order. Absent if the contract has none, or the accounts have them
   * already.
   */
  planFigures?(
    scope: ReadScope,
    market: Market,
    positions: readonly RawPosition[],
  ): ReadPlan<Outcome<ContractFigures>[]>;
  /**
   * The totals of the market. Null if its currency has no price in dollars. Absent if the family cannot read
   * them.
   */
  planTotals?(scope: ReadScope, market: Market): ReadPlan<MarketTotals | null>;
  /**
   * As planTotals, for a family with more markets than readMarket read for the accounts. It lists them
   * itself.
   * @param filedUnder the sub-ids in the index under an address, for a family that lists its markets there
   * @throws ChainReadError
   */
  readTotals?(
    scope: ReadScope,
    block: BlockRef,
    filedUnder: (address: Address) => Promise<readonly string[]>,
  ): Promise<MarketTotals | null>;
  /**
   * The state of one asset of the market and its rates. Absent if the family cannot read it.
   * @returns null if the market does not list the asset
   * @throws ChainReadError
   */
  readReserve?(scope: ReadScope, market: Market, key: ReserveKey): Promise<ReserveState | null>;
  /**
   * The rates of every asset that the market lends, each as its contract states it. Absent if the family cannot read
   * them.
   * @param filedUnder as in readTotals
   * @throws ChainReadError
   */
  readRates?(
    scope: ReadScope,
    block: BlockRef,
    market: () => Promise<Market>,
    filedUnder: (address: Address) => Promise<readonly string[]>,
  ): Promise<readonly AssetRates[]>;
  /**
   * The changes of parameters that governance announced. Absent if the family cannot read them.
   * @throws ChainReadError
   */
  readAnnouncements?: ReadAnnouncements<Market, Account>;
  /** Logs that name the wallets whose holdings changed. Absent if some changes have no such log. */
  touched?(market: Market): LogFilter & { walletsOf(log: ChainLog): readonly Address[] };
  /**
   * For a family without `touched`: logs that name every wallet that opens a position. Accounts without
   * holdings are then not read in every block.
   */
  opened?(market: Market): LogFilter & { walletsOf(log: ChainLog): readonly Address[] };
  /**
   * The evaluations that a change of the market affects. Absent: every one. Useful only together with
   * `touched`.
   */
  ratios?: Ratios<Market, Account>;
  /**
   * Present if a wallet's positions can be found only in logs. Called again after each new layout.
   * A source whose addresses change is read again from its beginning, so families divide many contracts into
   * several sources. @throws ChainReadError
   */
  index?(scope: ReadScope, block: BlockRef): Promise<readonly IndexSource[]>;
}

/**
 * The sub-ids of a registry row in which a wallet has ever acted. A service with a database keeps it. A reader of
 * a family without enumeration by wallet queries it before it reads accounts.
 */
export interface HoldingsIndex {
  /**
   * Sub-ids of the wallets as of the block, later ones included. A wallet without any may be omitted.
   * @param source the logs to read
   * @throws ChainReadError index_behind while the index has not read the logs up to the block
   */
  subIdsOf(
    row: MarketRow,
    source: IndexSource,
    wallets: readonly Address[],
    block: BlockRef,
  ): Promise<ReadonlyMap<Address, readonly string[]>>;
}
