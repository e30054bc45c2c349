import type { BlockRef, MarketRow, ChainReadCode } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { Announcements, ChangeEffect, ParameterChange } from './announcements';
import type { AssetRates } from './asset-rates';
import type { MarketTotals, ReserveKey, ReserveState } from './market-totals';
import type { Ratios } from './ratios';
import type { RawPosition } from './raw-position';

/** An unreadable part. It must be shown as such, and never as "no position". */
export interface Unreadable {
  protocol: string;
  chainId: number;
  market: string;
  reason: ChainReadCode;
  /** The wallets that the failure concerns. Empty: all that were requested. */
  wallets: readonly Address[];
}

/** Positions read in full and compared with the contract. */
export interface PositionsRead {
  /** Including those that are not isReadable: the others of their wallets are complete. */
  positions: RawPosition[];
  unreadable: Unreadable[];
  /** Differences between our arithmetic and the contract. The position has the contract's figure. */
  mismatches: Mismatch[];
}

/** A figure that differs from the contract's: an error of ours that needs attention. */
export interface Mismatch {
  wallet: Address;
  figure: 'totalCollateral' | 'totalDebt' | 'healthFactor';
  computed: bigint | null;
  contract: bigint | null;
}

/** The holdings of wallets, without prices and indices. They change only when a wallet acts. */
export interface AccountsRead<Account> {
  accounts: Map<Address, Account>;
  unreadable: Unreadable[];
}

/**
 * Wallets whose holdings changed. 'all' if the protocol changes holdings without a log that names their owner
 * (soft liquidation, redistribution, redemption): every account is outdated after every block. `opened`:
 * as 'all', but only these wallets may have opened a position.
 */
export type TouchedWallets = readonly Address[] | 'all' | { opened: readonly Address[] };

/** The result of checking whether a market's contracts are the ones in the registry. */
export type Probe = { ok: true } | { ok: false; reason: ChainReadCode; message: string };

/** A change that governance announced, with its effects on an account. */
export interface ReadChange<Account> extends ParameterChange {
  /** Pure. None when it could not be evaluated. */
  effectsOn(account: Account): readonly ChangeEffect[];
}

/**
 * Reads one row of the registry: one protocol, or one instance of it, on one chain. The reads differ in how
 * often the data changes: readMarket once a block, readAccounts only for wallets that acted, and evaluate is
 * pure.
 */
export interface ProtocolReader<Market, Account> {
  readonly row: MarketRow;
  /** Whether its family can read rates. */
  readonly hasRates: boolean;
  /** Whether its family can read what governance announces. */
  readonly hasAnnouncements: boolean;
  /** The inputs of evaluations. Absent if any block may change any of them. */
  readonly ratios?: Ratios<Market, Account>;
  /** Checks every contract for code and makes a call of the family. Never throws. */
  probe(block: BlockRef): Promise<Probe>;
  /**
   * The values that change with every block: indices, rates, prices, parameters. One eth_call. It covers the
   * holdings of all accounts that were read before. After readAccounts of new wallets it is called again.
   * @throws ChainReadError
   */
  readMarket(block: BlockRef): Promise<Market>;
  /** Takes the market of another reader of the row where that one has it at the block, so that it is not read again. */
  shareMarket?(from: ProtocolReader<Market, Account>, block: BlockRef): void;
  /** The holdings of the wallets. @throws ChainReadError when the read fails as a whole */
  readAccounts(wallets: readonly Address[], block: BlockRef): Promise<AccountsRead<Account>>;
  /**
   * The positions of a wallet on the market, one for each sub-id. Empty when it holds nothing. One that could
   * not be read is not isReadable. Null when that may be any of them. Pure.
   */
  evaluate(market: Market, account: Account): RawPosition[] | null;
  /**
   * Compares positions that were evaluated at this block with the contract's own figures, in one eth_call.
   * This is the quick way to publish. A mismatch means that their accounts are out of date, or an error of
   * ours. Read those wallets with readPositions. Never throws.
   */
  confirm(positions: readonly RawPosition[], block: BlockRef): Promise<PositionsRead>;
  /**
   * Full read of the wallets at one block, compared with the contract's own figures. All published positions
   * come from here or from confirm. Never throws: unreadable wallets are in `unreadable`.
   */
  readPositions(wallets: readonly Address[], block: BlockRef): Promise<PositionsRead>;
  /**
   * The totals of the market, at the protocol's oracle prices. Null if its family has none. @throws
   * ChainReadError
   */
  readTotals(block: BlockRef): Promise<MarketTotals | null>;
  /**
   * The state of one asset of the market at the block, and its rates. Null if its family cannot read it, or
   * the market does not list the asset. @throws ChainReadError
   */
  readReserve(key: ReserveKey, block: BlockRef): Promise<ReserveState | null>;
  /**
   * The rates of every asset that the market lends at the block. Null if its family cannot read them. @throws
   * ChainReadError
   */
  readRates(block: BlockRef): Promise<readonly AssetRates[] | null>;
  /**
   * The changes of parameters that governance announced, as of the block. None if its family cannot read them.
   * @param accounts the known ones at the block @throws ChainReadError
   */
  readAnnouncements(
    block: BlockRef,
    accounts: readonly Account[],
  ): Promise<Announcements<ReadChange<Account>>>;
  /**
   * Wallets whose holdings changed in the blocks, both ends included.
   * @param after the market at toBlock, which may be read at the same time
   * @throws ChainReadError
   */
  readTouchedWallets(fromBlock: bigint, toBlock: bigint, after: Promise<Market>): Promise<TouchedWallets>;
}
