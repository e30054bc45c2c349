import {
  type ConditionType,
  type Band,
  type PositionLegV1,
  type PositionV1,
  derivedId,
  positionId,
} from '@plimsoll/contracts';
import { samplePosition, sampleWallet } from '@plimsoll/testing';
import type { Rule } from '../../apps/alerts/src/sources/rule/rule';

/** The account that has all the rules. */
export const ACCOUNT = derivedId('acc', 'bench');
/** A tenth of the wallets is watched too, so that the measurement includes the standing conditions. */
export const isWatched = (position: number): boolean => position % 10 === 0;

const CONDITIONS: readonly [type: ConditionType, value: number, asset: string | null][] = [
  ['health_factor_below', 1.15, null],
  ['ltv_above', 0.7, null],
  ['collateral_usd_below', 14_500, null],
  ['liquidation_distance_below', 13, null],
  ['price_below', 1_450, 'WETH'],
  ['health_factor_above', 1.7, null],
];

const BASE = samplePosition(sampleWallet(1), 1, 'low');
const ids: string[] = [];

const wallets: string[] = [];
/** Each wallet is flat and hashed once, as a parsed event has it. */
export const walletOf = (position: number): string =>
  (wallets[position] ??= flat(sampleWallet(position + 1)));

/** A text that was joined from parts is joined at its first use, which would be measured. */
const flat = (text: string): string => JSON.parse(JSON.stringify(text)) as string;

/** Each id is hashed once, so that neither hashing nor its garbage is measured. */
export const idOf = (position: number): string =>
  (ids[position] ??= positionId({ ...BASE, wallet: walletOf(position) }));

/** One rule on each position. The conditions take turns. */
export function ruleOf(position: number): Rule {
  const [conditionType, conditionValue, asset] = CONDITIONS[position % CONDITIONS.length]!;
  return {
    id: derivedId('rule', position),
    accountId: ACCOUNT,
    positionId: idOf(position),
    name: `Rule ${position}`,
    conditionType,
    conditionValue,
    asset,
    actionType: 'alert',
    webhookId: null,
    isEndpointDeleted: false,
    deleverage: null,
    mayExecute: true,
    isActive: true,
    createdAtMs: 0,
    updatedAtMs: 0,
  };
}

const leg = (
  asset: string,
  side: 'collateral' | 'debt',
  amount: number,
  priceUsd: number,
): PositionLegV1 => ({
  asset,
  address: sampleWallet(asset.length),
  side,
  amountRaw: String(Math.round(amount * 1e6)),
  scaledRaw: String(Math.round(amount * 1e6)),
  decimals: 6,
  priceRaw: String(Math.round(priceUsd * 1e8)),
  priceDecimals: 8,
  oracle: sampleWallet(1),
  liquidationThresholdBps: side === 'collateral' ? 8_000 : 0,
  usedAsCollateral: side === 'collateral',
  amount,
  usdValue: amount * priceUsd,
});

/**
 * A state of a position with three legs at an ETH price.
 * @param atMs time of its block, milliseconds since 1970
 */
export function stateOf(position: number, sequence: number, ethUsd: number, atMs: number): PositionV1 {
  const collateralUsd = 10 * ethUsd + 1_000;
  const debtUsd = 9_500;
  const healthFactor = (0.8 * collateralUsd) / debtUsd;
  return {
    ...BASE,
    id: idOf(position),
    wallet: walletOf(position),
    sequence,
    band: bandAt(healthFactor),
    legs: [
      leg('WETH', 'collateral', 10, ethUsd),
      leg('USDT', 'collateral', 1_000, 1),
      leg('USDC', 'debt', 9_500, 1),
    ],
    healthFactor,
    healthFactorRaw: String(BigInt(Math.round(healthFactor * 1e6)) * 10n ** 12n),
    totalCollateralUsd: collateralUsd,
    totalDebtUsd: debtUsd,
    block: sequence,
    blockTime: new Date(atMs).toISOString(),
  };
}

function bandAt(healthFactor: number): Band {
  if (healthFactor < 1) return 'liquidatable';
  if (healthFactor < 1.1) return 'critical';
  if (healthFactor < 1.25) return 'high';
  return healthFactor < 1.5 ? 'moderate' : 'low';
}

/**
 * A price between 1,300 and 2,000, at which some conditions are met and some are not. It is the same for the
 * same arguments.
 */
export function ethUsdAt(position: number, sequence: number): number {
  return 1_300 + ((position * 7_919 + sequence * 3_331) % 7_000) / 10;
}
