import { WAD } from '../fixed-point/math';

/**
 * Health factor (wad) of a loan by the controller's own health (wad, below 0: may be liquidated): never below 0.
 * Source: Controller.health of curvefi/curve-stablecoin.
 */
export function llammaHealthFactor(health: bigint): bigint {
  return WAD + health > 0n ? WAD + health : 0n;
}

/**
 * Value, in units of the borrowed token, of the bands of a loan: collateral at the oracle's price (wad, in
 * whole tokens), rounded down, and the part that is converted already.
 */
export function llammaCollateralValue(
  { collateral, converted }: { collateral: bigint; converted: bigint },
  price: bigint,
  decimals: { collateral: number; borrowed: number },
): bigint {
  return (collateral * price) / 10n ** BigInt(decimals.collateral + 18 - decimals.borrowed) + converted;
}
