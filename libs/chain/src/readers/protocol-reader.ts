import type { Address } from 'viem';
import type { BlockRef } from '../multicall/pinned-call';
import type { MarketRow } from '../registry/registry';
import type { ChainReadCode } from '../rpc/chain-read-error';
import type { MarketTotals } from './market-totals';
import type { Ratios } from './ratios';
import type { RawPosition } from './raw-position';
import type { ReserveKey, ReserveState } from './reserve-state';

/** Something that could not be read: to be shown as such, never to be taken for "no position". */
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
  positions: RawPosition[];
  unreadable: Unreadable[];
  /** Where our arithmetic and the contract differ; the position carries the contract's figure. */
  mismatches: Mismatch[];
}

/** A figure that we compute otherwise than the contract: an error of ours that has to be looked at. */
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
 * Wallets whose holdings changed; 'all' where the protocol changes holdings without a log that names their owner
 * (soft liquidation, redistribution, redemption): every account is out of date after every block. `opened`: as 'all', but
 * of wallets that held nothing only these may hold something now.
 */
export type TouchedWallets = readonly Address[] | 'all' | { opened: readonly Address[] };

/** The result of checking whether a market's contracts are the ones in the registry. */
export type Probe = { ok: true } | { ok: false; reason: ChainReadCode; message: string };

/**
 * Reads one row of the registry: one protocol, or one instance of it, on one chain. The reads are split by how often
 * things change: readMarket once a block, readAccounts only for wallets that acted, and evaluate is pure.
 */
export interface ProtocolReader<Market, Account> {
  readonly row: MarketRow;
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
  /** The holdings of the wallets. @throws ChainReadError when the read fails as a whole */
  readAccounts(wallets: readonly Address[], block: BlockRef): Promise<AccountsRead<Account>>;
  /**
   * The positions of a wallet on the market as read, one for each sub-id; empty when it holds nothing, null when a price
   * or a part of the market that its figures need could not be read at this block. Pure.
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
  /** All that the market holds, at the protocol's oracle prices; null where its family does not say. @throws ChainReadError */
  readTotals(block: BlockRef): Promise<MarketTotals | null>;
  /**
   * The state of one asset of the market at the block, and its rates. Null if its family cannot read it, or
   * the market does not list the asset. @throws ChainReadError
   */
  readReserve(key: ReserveKey, block: BlockRef): Promise<ReserveState | null>;
  /** Wallets whose holdings changed in the blocks, both ends included. @throws ChainReadError */
  readTouchedWallets(fromBlock: bigint, toBlock: bigint): Promise<TouchedWallets>;
}
