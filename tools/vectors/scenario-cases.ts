import { assetsOf, whatIf, type PriceShock, type RiskPosition, type WhatIfResult } from '@plimsoll/risk-math';
import { alike, objectOf, positionOf, type Figures, type VectorCase, type VectorFile } from './case';

/** `*` means every asset of the position. */
const EVERY_ASSET = '*';

function expand(position: RiskPosition, { asset, priceChangePercent }: PriceShock): PriceShock[] {
  const assets = asset === EVERY_ASSET ? assetsOf(position) : [asset];
  return assets.map((each) => ({ asset: each, priceChangePercent }));
}

function named(result: WhatIfResult): Figures {
  return {
    newHealthFactor: result.newHealthFactor,
    liquidated: result.isLiquidatable,
    netWorthBefore: result.netWorthBeforeUsd,
    netWorthAfter: result.netWorthAfterUsd,
    equityLossUsd: result.estimatedLossUsd,
    collateralUsd: result.collateralUsd,
    debtUsd: result.debtUsd,
  };
}

/** The scenarios one by one and all together. */
export function whatIfFigures(vector: VectorCase): Figures {
  const position = positionOf(vector);
  const scenarios = vector['scenarios'] as readonly PriceShock[];
  const all = whatIf(
    position,
    scenarios.flatMap((scenario) => expand(position, scenario)),
  );
  return alike(
    {
      expected_each_scenario_applied_alone: scenarios.map((scenario) =>
        named(whatIf(position, expand(position, scenario))),
      ),
      expected_all_combined: alike(named(all), vector['expected_all_combined'] ?? named(all)),
    },
    Object.fromEntries(Object.entries(vector).filter(([name]) => name.startsWith('expected'))),
  );
}

/**
 * Assets without an entry: wrapped staked ETH takes WETH's shock, the others keep their prices (the files'
 * own rule).
 */
const PROXIES: Readonly<Record<string, string>> = { wstETH: 'WETH' };

export function stressFigures(vector: VectorCase, file: VectorFile): Figures {
  const position = positionOf(vector);
  const tables = Object.entries(objectOf(file['shocksPercent'], 'shocksPercent'));
  const figures = tables.map(([name, table]): [string, Figures] => {
    const percents = table as Record<string, number>;
    const shocks = assetsOf(position).map((asset) => ({
      asset,
      priceChangePercent: percents[asset] ?? percents[PROXIES[asset] ?? ''] ?? 0,
    }));
    const { newHealthFactor, isLiquidatable } = whatIf(position, shocks);
    return [name, { healthFactor: newHealthFactor, liquidated: isLiquidatable }];
  });
  return alike(Object.fromEntries(figures), vector['expected']);
}
