import { BPS } from './position';

/** Whether two prices, or two health factors, agree within the tolerance. The second is the reference. */
export function agrees(value: bigint, reference: bigint, toleranceBps: bigint): boolean {
  if (reference === 0n) return value === 0n;
  const difference = value > reference ? value - reference : reference - value;
  return difference * BPS <= reference * toleranceBps;
}

/**
 * The loss of a swap of `amountIn` for `amountOut` (values by one oracle), basis points rounded up; 0 when it
 * gains.
 */
export function lossBps(valueIn: bigint, valueOut: bigint): bigint {
  if (valueIn === 0n || valueOut >= valueIn) return 0n;
  return ((valueIn - valueOut) * BPS + valueIn - 1n) / valueIn;
}
