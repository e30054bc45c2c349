import { MOST_ORACLE_PRICES, type OraclePriceV1 } from '@plimsoll/contracts';
import { type RawLeg, type RawPosition, isReadable } from '@plimsoll/protocols';
import type { Address } from 'viem';
import { toUsd } from '../amounts/units';
import type { MarketTracker } from '../tracking/market-tracker';

type OraclePrice = OraclePriceV1['prices'][number];

const UNIT_USD = 10n ** 18n;

/**
 * The prices of a market at its last block, each from one of the positions that hold the token. Null while the market
 * cannot be read, and without such a price.
 */
export function oraclePricesOf(
  market: MarketTracker,
  nowMs: number,
  heartbeatMs: number,
): OraclePriceV1 | null {
  const { figures, failure, reader } = market;
  if (figures === null || failure !== null) return null;
  const prices: OraclePrice[] = [];
  const seen = new Set<string>();
  const keyOf = (leg: { oracle: string; address: string }): string =>
    `${leg.oracle} ${leg.address}`.toLowerCase();
  for (const { wallet, legs } of market.openPositions()) {
    if (prices.length >= MOST_ORACLE_PRICES) break;
    if (legs.every((leg) => seen.has(keyOf(leg)))) continue;
    for (const position of figures.of(wallet as Address)?.filter(isReadable) ?? [])
      for (const leg of position.legs) {
        if (seen.has(keyOf(leg))) continue;
        seen.add(keyOf(leg));
        if (isPriced(leg, position)) prices.push(priceOf(leg, position));
      }
  }
  if (prices.length === 0) return null;
  const { protocol, chainId, market: name } = reader.row;
  const { number, hash, timestamp } = figures.block;
  return {
    protocol,
    chainId,
    market: name,
    prices: prices.slice(0, MOST_ORACLE_PRICES),
    block: Number(number),
    blockHash: hash,
    blockTime: new Date(Number(timestamp) * 1_000).toISOString(),
    publishedAt: new Date(nowMs).toISOString(),
    heartbeatMs,
  };
}

/** No oracle prices a token that counts at a fixed dollar, or the unit of a market's prices. */
export function isPriced(
  { marketUsdRaw, priceRaw, priceDecimals }: Pick<RawLeg, 'marketUsdRaw' | 'priceRaw' | 'priceDecimals'>,
  { usdPerBaseRaw }: Pick<RawPosition, 'usdPerBaseRaw'>,
): boolean {
  const isUnit = usdPerBaseRaw !== UNIT_USD && priceRaw === 10n ** BigInt(priceDecimals);
  return marketUsdRaw === undefined && !isUnit;
}

function priceOf(leg: RawLeg, position: RawPosition): OraclePrice {
  return {
    asset: leg.symbol,
    token: leg.address.toLowerCase(),
    oracle: leg.oracle.toLowerCase(),
    priceUsd: toUsd(leg.priceRaw, leg.priceDecimals, position),
  };
}
