import {
  CallMissing,
  FORMULAS,
  addressText,
  wordReader,
  type FormulaResult,
  type Market,
  type ReadWords,
} from '@plimsoll/protocols/math';
import type { ReceiptContent, ReceiptFigures } from '@plimsoll/receipts';
import { Difference } from './steps';

/** The figures of a position at a block, and what they are computed from. */
export interface StatedReading
  extends ReceiptFigures, Pick<ReceiptContent, 'formula' | 'position' | 'contracts' | 'block'> {}

/**
 * Compares inputs, prices and outputs with what their formula gives from the results of calls.
 * @throws Difference
 */
export function checkFigures(stated: StatedReading, read: ReadWords): void {
  const { formula, position, inputs, prices, outputs } = stated;
  if (!formula) return;
  const compute = FORMULAS[formula.name]?.[formula.version];
  if (!compute || formula.name !== position.family)
    throw new Difference(
      'formula_unknown',
      `${formula.name} version ${formula.version} of ${position.family}`,
    );
  const own = computed(() => compute(marketOf(stated), read));
  const legs = own.legs.map(
    ({ asset, side, amount, decimals, liquidationThresholdBps, usedAsCollateral }) => {
      return { asset: addressText(asset), side, amount, decimals, liquidationThresholdBps, usedAsCollateral };
    },
  );
  compareLists('input_differs', inputs, legs);
  const ownPrices = own.legs.map(({ asset, oracle, price, priceDecimals }) => {
    return { asset: addressText(asset), oracle: addressText(oracle), price, decimals: priceDecimals };
  });
  compareLists(
    'price_differs',
    prices.map(({ asset, oracle, price, decimals }) => ({ asset, oracle, price, decimals })),
    ownPrices,
  );
  const { totalCollateral, totalDebt, healthFactor } = own;
  compareLists('output_differs', [outputs], [{ totalCollateral, totalDebt, healthFactor }]);
}

/** The position of a receipt, as formulas and layouts of storage take it. */
export function marketOf({
  contracts,
  position,
  block,
}: Pick<StatedReading, 'contracts' | 'position' | 'block'>): Market {
  return {
    contracts: Object.fromEntries(
      Object.entries(contracts).map(([name, address]) => [name, BigInt(address)]),
    ),
    wallet: BigInt(position.wallet),
    subId: position.subId,
    timestamp: BigInt(block.timestamp),
  };
}

function computed(compute: () => FormulaResult): FormulaResult {
  try {
    return compute();
  } catch (error) {
    throw differenceOf(error);
  }
}

/** The difference of a formula, or of a layout of storage, that could not be computed. */
export function differenceOf(error: unknown): Difference {
  if (error instanceof Difference) return error;
  if (error instanceof CallMissing) return new Difference('call_missing', error.message);
  // A contract that the receipt does not name.
  return new Difference('contract_missing', error instanceof Error ? error.message : 'no contract');
}

/** The first part that differs names the difference. */
function compareLists(code: Difference['code'], stated: readonly object[], own: readonly object[]): void {
  if (stated.length !== own.length)
    throw new Difference(code, `the receipt has ${stated.length} entries, the calls give ${own.length}`);
  own.forEach((entry, index) => {
    const other = stated[index] as Record<string, unknown>;
    for (const [name, value] of Object.entries(entry)) {
      const expected = typeof value === 'bigint' ? String(value) : (value as unknown);
      if (other[name] !== expected)
        throw new Difference(code, `${name} is ${String(other[name])}, the calls give ${String(expected)}`);
    }
  });
}

/** Reads the results of the calls of a receipt. */
export function reader({ calls }: ReceiptContent, results: readonly (string | null)[]): ReadWords {
  const byCall = new Map(calls.map(({ to, data }, index) => [`${to} ${data}`, results[index] ?? null]));
  return wordReader((to, data) => byCall.get(`${to} ${data}`));
}
