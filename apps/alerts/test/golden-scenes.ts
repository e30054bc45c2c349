import { type Band, type PositionV1, positionId } from '@plimsoll/contracts';
import { confidenceBasis } from '../src/content/confidence-score';
import { positionContent } from '../src/content/position-content';
import type { AlertText } from '../src/lifecycle/alert';
import { deviationOf } from '../src/positions/depeg';
import { type PositionState, positionState } from '../src/positions/position-state';
import { type AlertTextVariant, alertText } from '../src/sources/position/alert-text';

type Leg = PositionV1['legs'][number];

const TOKENS: Readonly<Record<string, { decimals: number; priceUsd: number; bps: number }>> = {
  WETH: { decimals: 18, priceUsd: 3_000, bps: 8_250 },
  WSTETH: { decimals: 18, priceUsd: 3_540, bps: 8_100 },
  WBTC: { decimals: 8, priceUsd: 92_400, bps: 7_800 },
  LINK: { decimals: 18, priceUsd: 17.35, bps: 7_000 },
  HYPE: { decimals: 18, priceUsd: 31.2, bps: 7_400 },
  BNB: { decimals: 18, priceUsd: 845.5, bps: 7_800 },
  ARB: { decimals: 18, priceUsd: 0.3127, bps: 6_300 },
  USDC: { decimals: 6, priceUsd: 1, bps: 8_000 },
  USDT: { decimals: 6, priceUsd: 0.9998, bps: 7_800 },
  DAI: { decimals: 18, priceUsd: 1, bps: 7_700 },
};

interface Holding {
  amount: number;
  priceUsd?: number;
  bps?: number;
  /** The principal, where it differs from the amount by interest. */
  principal?: number;
}
export type Holdings = Readonly<Record<string, number | Holding>>;

export interface Venue {
  protocol?: string;
  chainId?: number;
  wallet?: string;
}

function leg(asset: string, side: Leg['side'], holding: number | Holding): Leg {
  const { amount, priceUsd, bps, principal }: Holding =
    typeof holding === 'number' ? { amount: holding } : holding;
  const token = TOKENS[asset]!;
  const price = priceUsd ?? token.priceUsd;
  const raw = (of: number): string =>
    String((BigInt(Math.round(of * 1e6)) * 10n ** BigInt(token.decimals)) / 1_000_000n);
  return {
    asset,
    address: `0x${Buffer.from(asset).toString('hex').padStart(40, '0')}`,
    side,
    amountRaw: raw(amount),
    scaledRaw: raw(principal ?? amount),
    decimals: token.decimals,
    priceRaw: String(Math.round(price * 1e8)),
    priceDecimals: 8,
    oracle: `0x${'b'.repeat(40)}`,
    liquidationThresholdBps: side === 'debt' ? 0 : (bps ?? token.bps),
    usedAsCollateral: side === 'collateral',
    amount,
    usdValue: amount * price,
    priceUsd: price,
  };
}

/** A position as its protocol would publish it. The health factor follows from the legs. */
export function stateOf(
  collateral: Holdings,
  debt: Holdings,
  band: Band,
  { protocol = 'aave-v3', chainId = 1, wallet = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' }: Venue = {},
  over: Partial<PositionV1> = {},
): PositionState {
  const supplied = Object.entries(collateral).map(([asset, held]) => leg(asset, 'collateral', held));
  const owed = Object.entries(debt).map(([asset, held]) => leg(asset, 'debt', held));
  const totalCollateralUsd = supplied.reduce((sum, { usdValue }) => sum + usdValue, 0);
  const totalDebtUsd = owed.reduce((sum, { usdValue }) => sum + usdValue, 0);
  const weighted = supplied.reduce((sum, each) => sum + each.usdValue * each.liquidationThresholdBps, 0);
  const healthFactor = totalDebtUsd === 0 ? null : weighted / 10_000 / totalDebtUsd;
  const key = { protocol, chainId, market: 'Main', subId: '', wallet };
  return positionState({
    ...key,
    id: positionId(key),
    sequence: 1,
    legs: [...supplied, ...owed],
    healthFactorRaw:
      healthFactor === null ? null : String(BigInt(Math.round(healthFactor * 1e12)) * 1_000_000n),
    healthFactor,
    previousHealthFactor: null,
    totalCollateralRaw: '0',
    totalDebtRaw: '0',
    baseDecimals: 8,
    totalCollateralUsd,
    totalDebtUsd,
    band,
    previousBand: null,
    block: 21_400_000,
    blockHash: `0x${'1'.repeat(64)}`,
    blockTime: '2026-11-23T12:00:00.000Z',
    reason: 'band',
    material: true,
    closed: false,
    ...over,
  });
}

export interface Scene {
  after: PositionState;
  before?: PositionState | null;
  targetHealthFactor?: number;
  minUsd?: number;
  drop?: number;
  /** Market prices. */
  market?: Readonly<Record<string, number>>;
  /** The asset whose depeg the alert reports. */
  depegOf?: string;
  walletLabel?: string;
}

/** Returns the text of one step of an alert. */
export function textOf(
  variant: AlertTextVariant,
  {
    after,
    before = null,
    targetHealthFactor = 1.5,
    minUsd = 10,
    drop = 0,
    market = {},
    depegOf,
    walletLabel,
  }: Scene,
): AlertText {
  const figures = after.holdings.contract;
  const cause = depegOf !== undefined && figures ? deviationOf(figures, depegOf, market) : null;
  const content = positionContent({
    position: after,
    previous: before,
    threshold: null,
    targetHealthFactor,
    confidenceBasis: confidenceBasis(0, null),
    collateralDrop: drop,
    ...(walletLabel !== undefined && { walletLabel }),
    ...(cause && { cause }),
  });
  return alertText(variant, { position: after, content, collateralDrop: drop, minUsd, market });
}
