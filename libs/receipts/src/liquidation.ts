import type { LiquidationPrice, ReceiptFigures } from './receipt';

const WAD = 10n ** 18n;
/** Decimals of a value: those of an amount and of a price, of 36 each at most. */
const VALUE_DECIMALS = 72;
const PRICE_LIMIT = 2n ** 256n;

/** The weighted collateral and the debt of an asset. */
interface Exposure {
  weighted: bigint;
  debt: bigint;
}

/**
 * The price of each input, in the order of the inputs, at which the health factor is 1 while all other prices stay: fallen for
 * collateral, risen for debt. Thresholds are scaled so that they give the stated health factor. The prices have the decimals of those
 * in the receipt and are rounded down. Null: no price does it.
 */
export function liquidationPrices({ inputs, prices, outputs }: ReceiptFigures): LiquidationPrice[] {
  const exposures = exposuresOf(inputs, prices);
  const { weighted: allWeighted, debt: allDebt } = sumOf([...(exposures?.values() ?? [])]);
  const healthFactor = BigInt(outputs.healthFactor ?? 0);
  return inputs.map(({ asset }, index) => {
    const own = exposures?.get(asset);
    if (!own || healthFactor === 0n || allWeighted === 0n) return { asset, price: null };
    // Debt less weighted collateral of the others, over weighted collateral less debt of the asset.
    const others =
      WAD * allWeighted * (allDebt - own.debt) - healthFactor * allDebt * (allWeighted - own.weighted);
    const net = healthFactor * allDebt * own.weighted - WAD * allWeighted * own.debt;
    if (others === 0n || net === 0n || others > 0n !== net > 0n) return { asset, price: null };
    const price = (BigInt(prices[index]!.price) * others) / net;
    return { asset, price: price > 0n && price < PRICE_LIMIT ? String(price) : null };
  });
}

/** By asset. Null: an amount or a price has too many decimals, or there is no price for each input. */
function exposuresOf(
  inputs: ReceiptFigures['inputs'],
  prices: ReceiptFigures['prices'],
): Map<string, Exposure> | null {
  if (inputs.length !== prices.length) return null;
  const exposures = new Map<string, Exposure>();
  for (const [index, input] of inputs.entries()) {
    const { price, decimals } = prices[index]!;
    const exponent = VALUE_DECIMALS - input.decimals - decimals;
    if (exponent < 0) return null;
    const value = BigInt(input.amount) * BigInt(price) * 10n ** BigInt(exponent);
    const isSecuring = input.side === 'collateral' && input.usedAsCollateral;
    const own = {
      weighted: isSecuring ? value * BigInt(input.liquidationThresholdBps) : 0n,
      debt: input.side === 'debt' ? value : 0n,
    };
    const known = exposures.get(input.asset);
    exposures.set(input.asset, known ? sumOf([known, own]) : own);
  }
  return exposures;
}

function sumOf(exposures: readonly Exposure[]): Exposure {
  return exposures.reduce(
    (sum, { weighted, debt }) => ({ weighted: sum.weighted + weighted, debt: sum.debt + debt }),
    { weighted: 0n, debt: 0n },
  );
}
