import type { Address } from 'viem';
import type { ChainLog, LogFilter } from '../logs/read-logs';
import type { BlockRef } from '../multicall/pinned-call';
import type { Multicall } from '../multicall/multicall';
import type { Outcome, ReadPlan } from '../multicall/read-call';
import type { MarketRow } from '../registry/registry';
import type { MarketTotals } from './market-totals';
import type { Ratios } from './ratios';
import type { RawPosition } from './raw-position';
import type { ReserveKey, ReserveState } from './reserve-state';

/** The clients and the registry row with which a family reads. */
export interface ReadScope {
  row: MarketRow;
  multicall: Multicall;
  /** Oracles of the chain that price tokens in dollars (Aave v3): for protocols that do not count in dollars. */
  usdOracles: readonly Address[];
  /** Symbol of the chain's own coin, for protocols that lend it without a token. */
  nativeCurrency: string;
}

/** A wallet with the sub-ids that the index knows of it; none where the family lists a wallet's positions itself. */
export interface Holder {
  wallet: Address;
  subIds: readonly string[];
}

/** Accounts of the wallets that could be read in full, and the wallets of which a call failed. */
export interface AccountsResult<Account> {
  accounts: Map<Address, Account>;
  failed: Address[];
}

/** Everything of a market that moves with the block. */
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

/** The figures that the contract itself gives of a position; what it does not give is left out. */
export interface ContractFigures {
  totalCollateral?: bigint;
  totalDebt?: bigint;
  /** Null without debt. */
  healthFactor?: bigint | null;
}

/** Logs from which a wallet's sub-ids are learned, where the protocol has no call that lists them. */
export interface IndexSource extends LogFilter {
  /**
   * Identifies the source among the row's sources, each of which is read separately. One source may be
   * unnamed.
   */
  name?: string;
  /** The entries that a log adds: a wallet that may hold something in a sub-id. */
  entriesOf(log: ChainLog): readonly { wallet: Address; subId: string }[];
  /** Under which address a wallet's entries stand, where the logs do not name the wallet itself; default: its own. */
  filedUnder?(wallet: Address): Address;
}

/**
 * One family of protocols: what is to be read, and the arithmetic on it. FamilyReader does the rest
 * (docs/guides/adding-a-protocol.md). Addresses of wallets and tokens come out in lower case.
 */
export interface Family<Layout, Market extends MarketAtBlock, Account extends HeldAccount> {
  /**
   * The part of a market that only governance changes: lists of assets, their tokens and decimals. It is read
   * once, and again when readMarket returns null or accounts need more `keys`. @throws ChainReadError
   */
  readLayout(scope: ReadScope, block: BlockRef, keys: readonly string[]): Promise<Layout>;
  /** Everything that moves with the block; null when the layout turns out to be out of date. @throws ChainReadError */
  readMarket(scope: ReadScope, layout: Layout, block: BlockRef): Promise<Market | null>;
  /** The holdings of the wallets. @throws ChainReadError when the read fails as a whole */
  readAccounts(
    scope: ReadScope,
    holders: readonly Holder[],
    block: BlockRef,
    market: () => Promise<Market>,
  ): Promise<AccountsResult<Account>>;
  /** None when it holds nothing, null when a price or a market that it needs could not be read. Pure. */
  evaluate(row: MarketRow, market: Market, account: Account): RawPosition[] | null;
  /** The contract's own figures of each position, in order; absent where the contract gives none. */
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
   * As planTotals, for a family whose markets are more than what readMarket read for the accounts: it lists them itself.
   * @param filedUnder the sub-ids that the index has under an address, for a family that lists its markets there
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
  /** Logs that name the wallets whose holdings changed; absent where not every change has such a log. */
  touched?(market: Market): LogFilter & { walletsOf(log: ChainLog): readonly Address[] };
  /**
   * Where `touched` is absent: logs that name every wallet that holds something from now on and held nothing. Accounts that
   * hold nothing are then not read in every block.
   */
  opened?(market: Market): LogFilter & { walletsOf(log: ChainLog): readonly Address[] };
  /** Says which evaluations a change of the market touches; absent: every one. Of use beside `touched` only. */
  ratios?: Ratios<Market, Account>;
  /**
   * Present if a wallet's positions can be found only in logs. Called again when the layout was out of date.
   * A source whose addresses change is read again from its beginning, so families divide many contracts into
   * several sources. @throws ChainReadError
   */
  index?(scope: ReadScope, block: BlockRef): Promise<readonly IndexSource[]>;
}
