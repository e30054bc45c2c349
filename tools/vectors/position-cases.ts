import {
  addToTarget,
  distancePercent,
  liquidationCall,
  liquidationPrice,
  positionTotals,
  repayToTarget,
  sellToTarget,
  shockPosition,
  volatileScaleAtLiquidation,
} from '@plimsoll/risk-math';
import { alike, numberOf, objectOf, positionOf, type Figures, type VectorCase } from './case';

/** The assets with a constant price in the vectors. */
const STABLE = new Set([
  'USDC',
  'USDT',
  'DAI',
  'GHO',
  'USDS',
  'FRAX',
  'LUSD',
  'crvUSD',
  'PYUSD',
  'USDe',
  'sUSD',
]);

export function healthFactorFigures(vector: VectorCase): Figures {
  const { isLiquidatable, ...totals } = positionTotals(positionOf(vector));
  return alike({ ...totals, liquidatable: isLiquidatable }, vector['expected']);
}

export function liquidationPriceFigures(vector: VectorCase): Figures {
  const position = positionOf(vector);
  const pricesOf = (legs: readonly { asset: string }[]): Figures =>
    Object.fromEntries(legs.map(({ asset }) => [asset, liquidationPrice(position, asset)]));
  return alike(
    {
      healthFactor: positionTotals(position).healthFactor,
      liquidationPriceCollateralAlone: pricesOf(position.collateral),
      liquidationPriceDebtAloneUpward: pricesOf(position.debt),
      distancePercent_uniform_collateral_drop: distancePercent(position),
      volatileScaleAtLiquidation: volatileScaleAtLiquidation(position, (asset) => STABLE.has(asset)),
    },
    vector['expected'],
  );
}

/** One call after every collateral price has moved by `collateralShock` (−0.2 is −20 %). */
export function liquidationCallFigures(vector: VectorCase): Figures {
  const position = positionOf(vector);
  const priceChangePercent = numberOf(vector['collateralShock'], 'collateralShock') * 100;
  const shocked = {
    ...position,
    collateral: position.collateral.flatMap(
      (leg) =>
        shockPosition({ collateral: [leg], debt: [] }, [{ asset: leg.asset, priceChangePercent }]).collateral,
    ),
  };
  const { healthFactor, isLiquidatable } = positionTotals(shocked);
  const { leavesBadDebt, ...call } = liquidationCall(shocked) ?? {
    collateralAsset: null,
    debtAsset: null,
    closeFactor: 0,
    repayUsd: 0,
    seizeUsd: 0,
    penaltyUsd: 0,
    leavesBadDebt: false,
  };
  return alike(
    { healthFactor, liquidatable: isLiquidatable, ...call, badDebt: leavesBadDebt },
    vector['expected'],
  );
}

/** The sold collateral and its costs are inputs, though they are among the expected figures. */
export function deleverageFigures(vector: VectorCase): Figures {
  const position = positionOf(vector);
  const expected = objectOf(vector['expected'], 'expected');
  const target = numberOf(vector['targetHealthFactor'], 'targetHealthFactor');
  const { healthFactor, weightedCollateralUsd, totalDebtUsd } = positionTotals(position);
  const requiredRepayUsd = repayToTarget(position, target);
  const left = totalDebtUsd - requiredRepayUsd;
  const sell = objectOf(expected['sell_collateral'], 'expected.sell_collateral');
  const flashFee = numberOf(sell['flashFee'], 'flashFee');
  const slippage = numberOf(sell['slippage'], 'slippage');
  const { isFeasible, ...sold } = sellToTarget(position, String(sell['asset']), target, flashFee + slippage);
  const added = objectOf(
    expected['addCollateralUsd'] ?? { asset: sell['asset'] },
    'expected.addCollateralUsd',
  );
  const asset = String(added['asset']);
  return alike(
    {
      currentHealthFactor: healthFactor,
      requiredRepayUsd,
      hf_after_repay: left === 0 ? null : weightedCollateralUsd / left,
      sell_collateral: alike({ flashFee, slippage, ...sold, feasible: isFeasible }, sell),
      addCollateralUsd: { asset, usd: addToTarget(position, asset, target) },
    },
    expected,
  );
}
