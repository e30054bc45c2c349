import { type ReceiptContent, levelOf, liquidationPrices } from '@plimsoll/receipts';
import { Difference } from './steps';

/**
 * Compares the liquidation prices and the level of a receipt with what its inputs, prices and health factor give.
 * @returns how many prices there are
 * @throws Difference
 */
export function checkLiquidation(content: ReceiptContent): number {
  const { liquidationPrices: stated, level, healthFactor, probability7d } = content.outputs;
  const own = liquidationPrices(content);
  if (stated.length !== own.length)
    throw new Difference(
      'liquidation_price_differs',
      `the receipt has ${stated.length} entries, the inputs give ${own.length}`,
    );
  own.forEach(({ asset, price }, index) => {
    const other = stated[index]!;
    if (other.asset !== asset || other.price !== price)
      throw new Difference(
        'liquidation_price_differs',
        `entry ${index} is ${other.price} of ${other.asset}, the inputs give ${price} of ${asset}`,
      );
  });
  const ownLevel = levelOf(wadOf(healthFactor), wadOf(probability7d));
  if (ownLevel !== level) throw new Difference('level_differs', `${level}, the figures give ${ownLevel}`);
  return own.filter(({ price }) => price !== null).length;
}

/** Digits of a receipt as a number. */
export const wadOf = (digits: string | null): bigint | null => (digits === null ? null : BigInt(digits));
