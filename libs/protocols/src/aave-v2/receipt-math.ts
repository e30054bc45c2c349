import { arithmeticOf } from '../aave-v3/math';
import { poolFigures } from '../aave-v3/receipt-math';
import type { FormulaResult, Market, ReadWords } from '../receipt-math';

/** Older oracles do not state their currency. It is ether. */
const ETHER_DECIMALS = 18;
/** Means "before v3". */
const REVISION = 0n;

/** The figures of a wallet in a pool of Aave v2: those of v3 without e-modes, and with another layout of reserves. */
export function recomputeAaveV2(market: Market, read: ReadWords): FormulaResult {
  const provider = market.contracts['addressesProvider']!;
  const pool = read.word(provider, '0x0261bf8b');
  const oracle = read.word(provider, '0xfca513a8');
  const unit = read.attemptWord(oracle, '0x8c89b64f');
  return poolFigures(market, read, {
    pool,
    oracle,
    arithmetic: arithmeticOf(REVISION),
    priceDecimals: unit === null ? ETHER_DECIMALS : unit.toString().length - 1,
    eMode: null,
    reserveOf: (asset) => {
      const [word, liquidityIndex, variableBorrowIndex, liquidityRate, variableBorrowRate, , ...more] =
        read.words(12, pool, '0x35ea6a75', asset);
      const [lastUpdate, aToken, stableToken, debtToken, , id] = more;
      const accrual = { liquidityIndex, liquidityRate, variableBorrowIndex, variableBorrowRate, lastUpdate };
      return { word, ...accrual, id: Number(id), aToken, stableToken, debtToken };
    },
  });
}
