import { RAY } from '../fixed-point/math';
import type { RawLeg } from '../reader/raw-position';
import { roundingOf, type RatioLeg, type Ratios } from '../reader/ratios';
import type { AaveV3Account } from './accounts';
import type { AaveV3Market, AaveV3Reserve } from './market';
import { truncatesThreshold } from './math';

const BPS = 10_000;

type Sourced = Pick<RawLeg, 'side' | 'address' | 'oracle'>;
const nameOf = ({ side, address, oracle }: Sourced): string => `${side} ${address} ${oracle}`;

/**
 * Aave v2 and v3: scaled balances, with the unit value index times price. Up to v3.2 the average threshold is
 * truncated to a basis point. The health factor follows the collateral at that threshold as long as the
 * average stays above it and below the next.
 */
export const aaveV3Ratios: Ratios<AaveV3Market, AaveV3Account> = {
  shapeOf({ layout, reserves, eModes }) {
    const ofReserves = reserves.map(({ id, address, price, priceSource, parameters }) => {
      const { liquidationThresholdBps, decimals, eModeCategory } = parameters;
      return `${id} ${address} ${priceSource} ${price === null} ${liquidationThresholdBps} ${decimals} ${eModeCategory}`;
    });
    const ofEModes = [...eModes].map(
      ([id, { liquidationThresholdBps, collateralBitmap, price }]) =>
        `${id} ${liquidationThresholdBps} ${collateralBitmap} ${price?.source} ${price?.value === null}`,
    );
    return [layout.revision, ...ofReserves, ...ofEModes].join('\n');
  },

  unitValuesOf({ reserves, eModes }) {
    const unitValues = new Map<string, number>();
    const add = (reserve: AaveV3Reserve, oracle: RawLeg['oracle'], price: bigint | null): void => {
      if (price === null) return;
      const { address, unit, normalizedIncome, normalizedDebt } = reserve;
      const perUnit = Number(price) / Number(unit) / Number(RAY);
      unitValues.set(nameOf({ side: 'collateral', address, oracle }), Number(normalizedIncome) * perUnit);
      unitValues.set(nameOf({ side: 'debt', address, oracle }), Number(normalizedDebt) * perUnit);
    };
    for (const reserve of reserves) {
      add(reserve, reserve.priceSource, reserve.price);
      for (const { price } of eModes.values()) if (price) add(reserve, price.source, price.value);
    }
    return unitValues;
  },

  ratiosOf({ layout }, { balances }, position) {
    // A debt at its own stable rate follows no index.
    if ([...balances.values()].some(({ stableDebt }) => stableDebt.principal > 0n)) return null;
    const { legs } = position;
    const slack = roundingOf(position);
    const secures = legs.filter(({ liquidationThresholdBps, usedAsCollateral }) => {
      return usedAsCollateral && liquidationThresholdBps > 0n;
    });
    const owed = legs.filter(({ side }) => side === 'debt').map((leg) => ratioLeg(leg, 1));
    const isTruncated =
      truncatesThreshold(layout.revision) &&
      secures.some(({ liquidationThresholdBps }) => {
        return liquidationThresholdBps !== secures[0]!.liquidationThresholdBps;
      });
    const weighted = secures.map((leg) => ratioLeg(leg, Number(leg.liquidationThresholdBps) / BPS));
    if (!isTruncated) return [{ legs: [...weighted, ...owed], within: null, slack }];
    const threshold = averageThreshold(secures) / BPS;
    const values = secures.map((leg) => ratioLeg(leg, threshold));
    const asDebt = secures.map((leg) => ({ ...ratioLeg(leg, 1), side: 'debt' as const }));
    const within = { low: threshold, high: threshold + 1 / BPS };
    return [
      { legs: [...values, ...owed], within: null, slack },
      // The same unit values, for a mean.
      { legs: [...weighted, ...asDebt], within, slack: 2 * slack },
    ];
  },
};

function ratioLeg(leg: RawLeg, weight: number): RatioLeg {
  return { unitValue: nameOf(leg), side: leg.side, units: Number(leg.scaledRaw), weight };
}

/** The average threshold, truncated as in the contract. */
function averageThreshold(secures: readonly RawLeg[]): number {
  let [total, weighted] = [0n, 0n];
  for (const { amountRaw, priceRaw, decimals, liquidationThresholdBps } of secures) {
    const value = (amountRaw * priceRaw) / 10n ** BigInt(decimals);
    total += value;
    weighted += value * liquidationThresholdBps;
  }
  return total === 0n ? 0 : Number(weighted / total);
}
