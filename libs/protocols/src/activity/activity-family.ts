import type {
  MinedLog,
  Multicall,
  BlockRef,
  CallResults,
  PlanBuilder,
  MarketRow,
  ChainClient,
} from '@plimsoll/evm';
import type { Address, Hex } from 'viem';
import type { UsdOracle } from '../reader/usd-price';
import type { Activity } from './activity';
import type { EventTable, PositionOwner, TokenPosition } from './event-table';

/** The clients and the registry row with which a family reads activities. */
export interface ActivityScope {
  row: MarketRow;
  client: ChainClient;
  multicall: Multicall;
  /** Oracles of the chain that price tokens in dollars. */
  usdOracles: readonly UsdOracle[];
}

/** Reads the price in dollars (wad) of one whole token from a plan's results. Null if no oracle prices it. */
export type UsdPrice = (results: CallResults) => bigint | null;

/** Finds and reads the logs of a family's markets. S is the state that the family keeps of a market. */
export interface ActivityFamily<S> {
  events: EventTable;
  /** Topics of logs that only show that the market has changed: `learn` reads them. */
  noticeTopics?: readonly Hex[];
  /** @throws ChainReadError */
  readSource(scope: ActivityScope, block: BlockRef): Promise<S>;
  /** Contracts whose logs are read, in lower case. */
  addressesOf(source: S): readonly Address[];
  /**
   * The source with the unknown items that these logs name. Returns the same source when no item is unknown.
   * @throws ChainReadError
   */
  learn(scope: ActivityScope, source: S, logs: readonly MinedLog[], block: BlockRef): Promise<S>;
  /** The token of an event. Null: unknown. @param key as in LogLookup */
  tokenOf(source: S, of: TokenPosition | 'listed', log: MinedLog, key: string): Address | null;
  /**
   * Present if events name a position instead of its owner. Null: unknown. @param key the argument, 32 bytes
   */
  ownerOf?(source: S, key: Hex, log: MinedLog): PositionOwner | null;
  /** Derives moves that only several logs of one transaction show together. */
  compose?(source: S, logs: readonly MinedLog[]): Activity[];
  /**
   * Selects the activities of one transaction, in log order, that are separate moves. Absent: all of them
   * are.
   * @param logs of the family's contracts
   */
  settle?(source: S, activities: readonly Activity[], logs: readonly MinedLog[]): Activity[];
  addUsdPrice(plan: PlanBuilder, scope: ActivityScope, source: S, token: Address): UsdPrice;
}
