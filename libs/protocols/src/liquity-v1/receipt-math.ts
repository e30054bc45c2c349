import { WAD } from '../fixed-point/math';
import { NO_POSITION, ONE_DOLLAR, owedLeg, securedLeg } from '../legs-math';
import type { FormulaResult, Market, ReadWords } from '../receipt-math';
import { troveHealthFactor, troveRatio, troveThreshold } from './math';

const ACTIVE = 1n;
const ETHER = 0n;
const PRICE_DECIMALS = 18;
/** Of ether and of LUSD. */
const DECIMALS = 18;

/** The figures of the trove of a wallet. */
export function recomputeLiquityV1({ contracts, wallet }: Market, read: ReadWords): FormulaResult {
  const manager = contracts['troveManager']!;
  if (read.word(manager, '0x21e37801', wallet) !== ACTIVE) return NO_POSITION;
  const [debt, collateral] = read.words(2, manager, '0xb91af97c', wallet);
  const oracle = read.word(manager, '0x741bef1a');
  const price = read.word(oracle, '0x0fdb11cf');
  const pool = read.word(manager, '0x048c661d');
  const threshold = troveThreshold(
    {
      minimum: read.word(manager, '0x794e5724'),
      critical: read.word(manager, '0x5733d58f'),
      total: read.word(manager, '0xb82f263d', price),
      // Later versions leave one LUSD in the pool.
      offset: read.attemptWord(pool, '0xec6987de') ?? read.word(pool, '0x9bf2f1ac'),
    },
    debt,
  );
  const ratio = troveRatio({ collateral, debt }, price);
  const ether = { asset: ETHER, decimals: DECIMALS, price, priceDecimals: PRICE_DECIMALS, oracle };
  const lusd = { asset: read.word(manager, '0xb83f91a2'), decimals: DECIMALS, ...ONE_DOLLAR, oracle };
  return {
    legs: [securedLeg(ether, collateral, (WAD * 10_000n) / threshold), owedLeg(lusd, debt)],
    totalCollateral: (collateral * price) / WAD,
    totalDebt: debt,
    healthFactor: ratio === null ? null : troveHealthFactor(ratio, threshold),
  };
}
