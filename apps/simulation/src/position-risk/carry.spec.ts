import type { PositionDetail } from '@plimsoll/contracts';
import { samplePosition } from '../../test/samples';
import { carryOf } from './carry';

/** A position whose assets have these yearly rates, by symbol. */
function bearing(
  position: PositionDetail,
  supplyRates: Record<string, number>,
  borrowRates: Record<string, number>,
): PositionDetail {
  const { collateralAssets, debtAssets } = position;
  return {
    ...position,
    collateralAssets: collateralAssets.map((leg) =>
      leg.asset in supplyRates ? { ...leg, supplyRate: supplyRates[leg.asset]! } : leg,
    ),
    debtAssets: debtAssets.map((leg) =>
      leg.asset in borrowRates ? { ...leg, borrowRate: borrowRates[leg.asset]! } : leg,
    ),
  };
}

const simple = samplePosition('simple', { WETH: 10 }, { USDC: 16_000 });

describe('carryOf', () => {
  it('is ln(HF) / (borrow rate − supply rate), in days', () => {
    expect(carryOf(bearing(simple, { WETH: 0.02 }, { USDC: 0.06 }))).toEqual({
      carryDays: expect.closeTo((Math.log(1.546875) / 0.04) * 365, 8),
      carryDaysReason: null,
    });
  });

  it('weighs a supply by its threshold value and a debt by its value', () => {
    const mixed = samplePosition('mixed', { WETH: 10, LINK: 1_000 }, { USDC: 10_000, DAI: 5_000 });
    const [weth, link] = [30_000 * 0.825, 18_500 * 0.71];
    const supply = (weth * 0.02 + link * 0.001) / (weth + link);
    const borrow = (10_000 * 0.05 + 4_999 * 0.09) / 14_999;
    const { carryDays } = carryOf(bearing(mixed, { WETH: 0.02, LINK: 0.001 }, { USDC: 0.05, DAI: 0.09 }));
    expect(carryDays).toBeCloseTo((Math.log(mixed.healthFactor!) / (borrow - supply)) * 365, 6);
  });

  it('a supply that secures nothing needs no rate', () => {
    const lent = bearing(
      samplePosition('lent', { WETH: 10, LINK: 1_000 }, { USDC: 16_000 }),
      { WETH: 0 },
      {
        USDC: 0.06,
      },
    );
    const collateralAssets = lent.collateralAssets.map((leg) => ({
      ...leg,
      usedAsCollateral: leg.asset === 'WETH',
    }));
    expect(carryOf({ ...lent, collateralAssets }).carryDaysReason).toBeNull();
  });

  it.each([
    ['no_debt', samplePosition('free', { WETH: 1 }, {})],
    ['liquidatable', bearing(samplePosition('under', { WETH: 1 }, { USDC: 2_600 }), {}, {})],
    ['carry_not_negative', bearing(simple, { WETH: 0.05 }, { USDC: 0.05 })],
    ['rate_unknown', simple],
    ['rate_unknown', bearing(simple, { WETH: 0.05 }, {})],
    ['rate_unknown', bearing(simple, {}, { USDC: 0.05 })],
  ])('null: %s', (carryDaysReason, position) => {
    expect(carryOf(position)).toEqual({ carryDays: null, carryDaysReason });
  });
});
