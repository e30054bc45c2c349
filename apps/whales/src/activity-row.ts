import {
  type AddressLabelText,
  type WhaleAction,
  type WhaleEffect,
  type WhalePriceBasis,
  type WhaleV1,
  derivedId,
} from '@plimsoll/contracts';
import type { BlockRef, MarketRow } from '@plimsoll/evm';
import type { Activity, PricedToken } from '@plimsoll/protocols';

const WAD_DECIMALS = 18;
const MOST_SYMBOL = 64;

/** Facts about a large move beside its log. */
export interface ActivityContext extends WhaleEffect {
  counterpartyLabel: AddressLabelText | null;
}

/** A row of `activity`. */
export interface ActivityRow {
  id: string;
  chainId: number;
  protocol: string;
  market: string;
  subId: string;
  wallet: string;
  counterparty: string | null;
  action: WhaleAction;
  token: string;
  symbol: string;
  decimals: number;
  amountRaw: string;
  /** Whole tokens. */
  amount: number;
  /** Null when no oracle prices the token. */
  usd: number | null;
  priceBasis: WhalePriceBasis;
  block: number;
  blockHash: string;
  transactionHash: string;
  logIndex: number;
  atMs: number;
  /** Null below the threshold, or when an earlier release wrote it. */
  context: ActivityContext | null;
}

/** Facts about an activity beside its log. */
export interface ActivitySetting {
  market: MarketRow;
  block: BlockRef;
  token: PricedToken;
  priceBasis: WhalePriceBasis;
}

export function activityRow(
  activity: Activity,
  { market, block, token, priceBasis }: ActivitySetting,
): ActivityRow {
  const { log, part, action, wallet, counterparty, amountRaw, subId } = activity;
  const { chainId, protocol } = market;
  const logIndex = Number(log.logIndex);
  return {
    id: derivedId('act', chainId, log.blockHash, logIndex, ...(part === undefined ? [] : [part])),
    chainId,
    protocol,
    market: market.market,
    subId,
    wallet,
    counterparty,
    action,
    token: token.address,
    symbol: displaySymbol(token),
    decimals: token.decimals,
    amountRaw: amountRaw.toString(),
    amount: toDouble(amountRaw, token.decimals),
    usd: token.usdRaw === null ? null : toDouble(amountRaw * token.usdRaw, token.decimals + WAD_DECIMALS),
    priceBasis,
    block: Number(block.number),
    blockHash: block.hash,
    transactionHash: log.transactionHash,
    logIndex,
    atMs: Number(block.timestamp) * 1_000,
    context: null,
  };
}

/** A token chooses its own name. Characters that cannot be shown or stored are removed. */
function displaySymbol({ symbol, address }: PricedToken): string {
  const shown = symbol.replaceAll(/\p{C}/gu, '').trim().slice(0, MOST_SYMBOL);
  return shown === '' ? address : shown;
}

/** Returns whale.v1 of a row with a price. */
export function whaleEvent(row: ActivityRow & { usd: number }, status: WhaleV1['status']): WhaleV1 {
  const { id, subId: _subId, token, symbol, usd, atMs, context, ...rest } = row;
  return {
    activityId: id,
    status,
    ...rest,
    asset: symbol,
    assetAddress: token,
    usdValue: usd,
    timestamp: new Date(atMs).toISOString(),
    ...context,
  };
}

/** Returns an exact decimal (`raw` / 10^decimals) as the nearest double. */
export function toDouble(raw: bigint, decimals: number): number {
  return Number(`${raw}e-${decimals}`);
}
