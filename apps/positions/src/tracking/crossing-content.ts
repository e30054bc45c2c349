import { type PositionV1, bandRank } from '@plimsoll/contracts';
import type { MarketRow } from '@plimsoll/evm';
import { namedContracts } from '@plimsoll/protocols';
import { type CrossingContent, type CrossingReading, levelOf } from '@plimsoll/receipts';
import { version } from '../../../../package.json';
import { isOfFormula, newestFormula } from '../receipt-signing/receipt-market';
import { statedProbability } from '../receipt-signing/stated-probability';
import type { Change } from './detect-change';

/** Nothing opens an alert about a position that is first read at a milder level. */
const DANGER_FROM = bandRank('high');

/**
 * Whether a change can open, change or end an alert about the health factor. The band has hysteresis, so a health factor
 * that swings around a threshold makes no receipt each time.
 */
export function isCrossing({ reason, band, previousBand, level, previousLevel }: Change): boolean {
  if (reason === 'discovered') return Math.max(bandRank(band), bandRank(level)) >= DANGER_FROM;
  const [isBelowOne, wasBelowOne] = [level === 'liquidatable', previousLevel === 'liquidatable'];
  return band !== previousBand || isBelowOne !== wasBelowOne;
}

/**
 * The content of the receipt of a crossing.
 * @param isExact whether our arithmetic gave the contract's figures, so that the published formula gives them too
 */
export function crossingContent(
  row: MarketRow,
  before: PositionV1 | null,
  after: PositionV1,
  isExact: boolean,
): CrossingContent {
  const isOfProxy = (before?.proxy ?? after.proxy) !== undefined;
  const hasFormula =
    isExact && !isOfProxy && [before ?? after, after].every(({ legs }) => isOfFormula(row.family, legs));
  return {
    version: 1,
    kind: 'crossing',
    build: version,
    chainId: row.chainId,
    position: {
      id: after.id,
      protocol: row.protocol,
      family: row.family,
      market: row.market,
      subId: after.subId,
      wallet: after.wallet,
    },
    contracts: namedContracts(row),
    formula: hasFormula ? newestFormula(row.family) : null,
    before: before && readingOf(before),
    after: readingOf(after),
  };
}

function readingOf(event: PositionV1): CrossingReading {
  const { block: number, blockHash: hash, blockTime, legs, healthFactorRaw: healthFactor } = event;
  const probability7d = statedProbability(event.probability7d ?? null);
  return {
    block: { number, hash, timestamp: Date.parse(blockTime) / 1_000 },
    prices: legs.map(
      ({ address: asset, asset: symbol, oracle, priceRaw: price, priceDecimals: decimals }) => ({
        asset,
        symbol,
        oracle,
        price,
        decimals,
      }),
    ),
    inputs: legs.map((leg) => ({
      asset: leg.address,
      side: leg.side,
      amount: leg.amountRaw,
      decimals: leg.decimals,
      liquidationThresholdBps: String(leg.liquidationThresholdBps),
      usedAsCollateral: leg.usedAsCollateral,
    })),
    outputs: {
      totalCollateral: event.totalCollateralRaw,
      totalDebt: event.totalDebtRaw,
      healthFactor,
    },
    // An event of an earlier release may state its band here.
    level: levelOf(
      healthFactor === null ? null : BigInt(healthFactor),
      probability7d === null ? null : BigInt(probability7d),
    ),
    probability7d,
  };
}
