import {
  type Band,
  type CreateRuleBody,
  type PositionLegV1,
  type PositionV1,
  type PriceV1,
} from '@plimsoll/contracts';
import { samplePosition } from '@plimsoll/testing';

const leg = (
  asset: string,
  side: 'collateral' | 'debt',
  amount: number,
  priceUsd: number,
): PositionLegV1 => ({
  asset,
  address: `0x${'a'.repeat(40)}`,
  side,
  amountRaw: String(Math.round(amount * 1e6)),
  scaledRaw: String(Math.round(amount * 1e6)),
  decimals: 6,
  priceRaw: String(Math.round(priceUsd * 1e8)),
  priceDecimals: 8,
  oracle: `0x${'b'.repeat(40)}`,
  liquidationThresholdBps: side === 'collateral' ? 8_000 : 0,
  usedAsCollateral: side === 'collateral',
  amount,
  usdValue: amount * priceUsd,
});

/** A position of WETH against USDC at an ETH price. */
export function wethPosition(
  wallet: string,
  sequence: number,
  band: Band,
  ethUsd: number,
  over: Partial<PositionV1> & { weth?: number; usdc?: number } = {},
): PositionV1 {
  const { weth = 10, usdc = 10_000, ...rest } = over;
  return samplePosition(wallet, sequence, band, {
    legs: [leg('WETH', 'collateral', weth, ethUsd), leg('USDC', 'debt', usdc, 1)],
    totalCollateralUsd: weth * ethUsd,
    totalDebtUsd: usdc,
    blockTime: new Date().toISOString(),
    ...rest,
  });
}

/** A pair of stable coins at a health factor of 1.010, both 1 USD in the oracle. */
export function stablePair(
  wallet: string,
  sequence: number,
  over: Partial<PositionV1> & { usdc?: number } = {},
): PositionV1 {
  const { usdc = 10_100, ...rest } = over;
  const usdcLeg = { ...leg('USDC', 'collateral', usdc, 1), liquidationThresholdBps: 9_000 };
  const raw = BigInt(usdc) * 10n ** 14n;
  return samplePosition(wallet, sequence, 'low', {
    legs: [usdcLeg, leg('DAI', 'debt', 9_000, 1)],
    healthFactor: Number(`${raw}e-18`),
    healthFactorRaw: String(raw),
    totalCollateralUsd: usdc,
    totalDebtUsd: 9_000,
    blockTime: new Date().toISOString(),
    ...rest,
  });
}

/** A rule that fires below a health factor of 1.5. */
export function sampleRule(positionId: string, over: Partial<CreateRuleBody> = {}): CreateRuleBody {
  return {
    name: 'Guard',
    conditionType: 'health_factor_below',
    conditionValue: 1.5,
    actionType: 'alert',
    positionId,
    ...over,
  };
}

/** A price of two agreeing sources, published at a moment. The next is expected within a minute. */
export function samplePrice(
  asset: string,
  priceUsd: number,
  publishedAtMs: number,
  over: Partial<PriceV1> = {},
): PriceV1 {
  const publishedAt = new Date(publishedAtMs).toISOString();
  return {
    asset,
    priceUsd,
    priceRaw: String(Math.round(priceUsd * 1e8)),
    priceDecimals: 8,
    change24h: null,
    sources: [],
    spreadPercent: 0.5,
    isStale: false,
    isDeviating: false,
    pegDeviationPercent: null,
    isDepegged: false,
    observedAt: publishedAt,
    publishedAt,
    heartbeatMs: 60_000,
    ...over,
  };
}
