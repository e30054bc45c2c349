import { type OraclePriceV1, priceSymbol } from '@plimsoll/contracts';
import {
  type AssetCondition,
  DEVIATION_LASTS_MS,
  deviationSeverity,
  nextLastingCondition,
} from '../asset-price/asset-condition';
import { deviationTexts } from './oracle-text';

/** Heartbeats without a price after which nothing is known about the time in between. */
const UNKNOWN_AFTER_HEARTBEATS = 3;

/** The price that an oracle stated. Times are in milliseconds since 1970. */
export interface OraclePrice {
  protocol: string;
  chainId: number;
  oracle: string;
  token: string;
  /** As price.v1 names it. */
  asset: string;
  priceUsd: number;
  block: number;
  publishedAtMs: number;
}

/** Last price of an oracle, and whether it deviates from the market. */
export type OracleCondition = OraclePrice & AssetCondition;

export const oracleKeyOf = ({ protocol, chainId, oracle, token }: OraclePrice): string =>
  `${protocol} ${chainId} ${oracle} ${token}`;

export function oraclePricesOf({
  prices,
  protocol,
  chainId,
  block,
  publishedAt,
}: OraclePriceV1): OraclePrice[] {
  const publishedAtMs = Date.parse(publishedAt);
  return prices.map(({ asset, ...price }) => ({
    ...price,
    asset: priceSymbol(asset),
    protocol,
    chainId,
    block,
    publishedAtMs,
  }));
}

/**
 * Returns the state after a price. A price that cannot be compared neither opens nor ends a deviation, and starts the
 * time again that it must last. So does a break between two prices.
 * @param known null: the first price of the oracle
 * @param marketUsd null: no fresh market price
 */
export function nextOracleCondition(
  price: OraclePrice,
  known: OracleCondition | null,
  marketUsd: number | null,
  { nowMs, heartbeatMs }: { nowMs: number; heartbeatMs: number },
): OracleCondition {
  const { asset, priceUsd, publishedAtMs } = price;
  const longestMs = UNKNOWN_AFTER_HEARTBEATS * heartbeatMs;
  const isJudged = marketUsd !== null && priceUsd > 0 && nowMs - publishedAtMs <= longestMs;
  const hasBreak = known !== null && publishedAtMs - known.publishedAtMs > longestMs;
  const before = known && hasBreak ? { ...known, beganAtMs: null } : known;
  const toUsd = marketUsd ?? priceUsd;
  const move = { fromUsd: priceUsd, toUsd };
  const next = nextLastingCondition(
    { asset, type: 'oracle_deviation' },
    before,
    isJudged ? deviationSeverity((toUsd / priceUsd - 1) * 100) : 'held',
    deviationTexts(price, toUsd),
    { nowMs, atMs: publishedAtMs, lastsMs: DEVIATION_LASTS_MS },
    move,
  );
  return { ...NEVER_MET, ...before, ...next, ...price };
}

const NEVER_MET: Omit<AssetCondition, 'asset'> = {
  type: 'oracle_deviation',
  severity: null,
  title: '',
  message: '',
  lastSeverity: 'medium',
  clearedAtMs: null,
  move: null,
  beganAtMs: null,
};
