import type { Address, Hex } from 'viem';
import type { MinedLog } from '../logs/read-logs';
import type { Multicall } from '../multicall/multicall';
import type { BlockRef } from '../multicall/pinned-call';
import type { CallResults, PlanBuilder } from '../multicall/plan-builder';
import type { MarketRow } from '../registry/registry';
import type { ChainClient } from '../rpc/chain-client';
import type { Activity } from './activity';
import type { EventTable, PositionOwner, TokenPosition } from './event-table';

/** The clients and the registry row with which a family reads activities. */
export interface ActivityScope {
  row: MarketRow;
  client: ChainClient;
  multicall: Multicall;
  /** Oracles of the chain that price tokens in dollars (Aave v3). */
  usdOracles: readonly Address[];
}

/** Reads the price in dollars (wad) of one whole token from a plan's results. Null if no oracle prices it. */
export type UsdPrice = (answers: CallResults) => bigint | null;

/** How the logs of a family's markets are found and read; S is what it knows of a market. */
export interface ActivityFamily<S> {
  events: EventTable;
  /** Topics that only say that the market has changed: `learn` looks at them. */
  noticeTopics?: readonly Hex[];
  /** @throws ChainReadError */
  readSource(scope: ActivityScope, block: BlockRef): Promise<S>;
  /** Contracts whose logs are read, in lower case. */
  addressesOf(source: S): readonly Address[];
  /** The source with what these logs name and it does not know; itself when it knows all. @throws ChainReadError */
  learn(scope: ActivityScope, source: S, logs: readonly MinedLog[], block: BlockRef): Promise<S>;
  /** The token that an event means; null: not known. @param key as in LogLookup */
  tokenOf(source: S, of: TokenPosition | 'listed', log: MinedLog, key: string): Address | null;
  /** Present where events name a position and not its owner; null: not known. @param key the argument, 32 bytes */
  ownerOf?(source: S, key: Hex, log: MinedLog): PositionOwner | null;
  /** Moves that no event says by itself, from the logs of one transaction. */
  compose?(source: S, logs: readonly MinedLog[]): Activity[];
  /**
   * Selects the activities of one transaction, in log order, that are separate moves. Absent: all of them
   * are.
   * @param logs of the family's contracts
   */
  settle?(source: S, activities: readonly Activity[], logs: readonly MinedLog[]): Activity[];
  addUsdPrice(plan: PlanBuilder, scope: ActivityScope, source: S, token: Address): UsdPrice;
}
