import { priceSymbol } from '@plimsoll/risk-math';
import type { components } from '@plimsoll/sdk';

type Detail = components['schemas']['PositionDetail'];

/** An asset that a position supplies or owes. */
export type HeldAsset = Detail['collateralAssets'][number];

/** The parts of a position that its mathematics needs. */
export type Held = Pick<Detail, 'collateralAssets' | 'debtAssets' | 'healthFactor' | 'healthFactorRaw'>;

/** Changes of prices in percent by price symbol. */
export type Changes = Readonly<Record<string, number>>;

/** The price symbols of everything that a position holds or owes, each once. */
export const symbolsOf = ({
  collateralAssets,
  debtAssets,
}: Pick<Held, 'collateralAssets' | 'debtAssets'>) => [
  ...new Set([...collateralAssets, ...debtAssets].map(({ asset }) => priceSymbol(asset))),
];
