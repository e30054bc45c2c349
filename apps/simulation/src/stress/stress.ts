import { type StressScenario, assetClass } from '@plimsoll/contracts';
import historicalJson from './historical-scenarios.json';

/** An asset of a position, by its price symbol. */
export interface StressedAsset {
  asset: string;
  isCollateral: boolean;
  isDebt: boolean;
}

/** A scenario and the price change, percent, that it means for an asset. */
export interface Stress {
  scenario: StressScenario;
  changePercent(asset: StressedAsset): number;
}

/** Measured falls to the lowest close: the lows of an exchange contain wicks that no oracle followed. */
const HISTORICAL = historicalJson as unknown as readonly Omit<StressScenario, 'kind'>[];
/** Volatile assets without a figure in a measured scenario fall by this factor more than ETH. */
const UNKNOWN_TO_ETH = 1.3;
const LARGEST_FALL = -95;

function historicalChange(shocks: Readonly<Record<string, number>>, asset: string): number {
  const { family, kind } = assetClass(asset);
  const known = shocks[asset] ?? (kind === 'staked' || kind === 'wrapped' ? shocks[family] : undefined);
  if (known !== undefined) return known;
  return kind === 'stable' ? 0 : Math.max(LARGEST_FALL, UNKNOWN_TO_ETH * (shocks['ETH'] ?? 0));
}

function parametric(
  id: string,
  description: string,
  changePercent: number,
  isMoved: (asset: StressedAsset) => boolean,
): Stress {
  return {
    scenario: { id, kind: 'parametric', description, from: null, to: null, shocks: {} },
    changePercent: (asset) => (isMoved(asset) ? changePercent : 0),
  };
}

const isStable = ({ asset }: StressedAsset): boolean => assetClass(asset).kind === 'stable';
const isVolatile = (asset: StressedAsset): boolean => !isStable(asset);
const isStableCollateral = (asset: StressedAsset): boolean => isStable(asset) && asset.isCollateral;

const ALL: readonly Stress[] = [
  ...HISTORICAL.map((scenario): Stress => ({
    scenario: { ...scenario, kind: 'historical' },
    changePercent: ({ asset }) => historicalChange(scenario.shocks, asset),
  })),
  parametric('crypto_minus_20', 'Every volatile asset falls by 20 %.', -20, isVolatile),
  parametric('crypto_minus_35', 'Every volatile asset falls by 35 %.', -35, isVolatile),
  parametric('crypto_minus_50', 'Every volatile asset falls by 50 %.', -50, isVolatile),
  parametric(
    'eth_minus_30',
    'ETH and what is derived from it fall by 30 %.',
    -30,
    ({ asset }) => assetClass(asset).family === 'ETH',
  ),
  parametric(
    'stablecoin_depeg_5',
    'Every stable coin held as collateral falls by 5 %.',
    -5,
    isStableCollateral,
  ),
  parametric(
    'stablecoin_depeg_12',
    'Every stable coin held as collateral falls by 12 %.',
    -12,
    isStableCollateral,
  ),
  parametric(
    'lst_depeg_7',
    'Staking tokens fall by 7 % against their underlying asset.',
    -7,
    ({ asset }) => assetClass(asset).kind === 'staked',
  ),
  parametric(
    'debt_squeeze_20',
    'Every volatile asset that is owed rises by 20 %.',
    20,
    (asset) => isVolatile(asset) && asset.isDebt,
  ),
];

/** Every scenario by its id, historical ones first. */
export const STRESSES: ReadonlyMap<string, Stress> = new Map(
  ALL.map((stress) => [stress.scenario.id, stress]),
);
