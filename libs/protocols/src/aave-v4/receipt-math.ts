import { lentLeg, owedLeg, securedLeg, type FormulaLeg } from '../legs-math';
import { signed, type FormulaResult, type Market, type ReadWords } from '../receipt-math';
import { aaveV4AccountTotals, aaveV4Debt } from './math';

const PRICE_DECIMALS = 8;

/** The figures of a wallet in a spoke. */
export function recomputeAaveV4({ contracts, wallet }: Market, read: ReadWords): FormulaResult {
  const spoke = contracts['spoke']!;
  const oracle = read.word(spoke, '0x38013f02');
  const count = read.word(spoke, '0x99806546');
  const legs: FormulaLeg[] = [];
  const holdings = [];
  for (let id = 0n; id < count; id++) {
    const [drawnShares, premiumShares, offset, suppliedShares, configKey] = read.words(
      5,
      spoke,
      '0x869da9db',
      id,
      wallet,
    );
    if (drawnShares + premiumShares + suppliedShares === 0n) continue;
    const [asset, hub, assetId, decimals] = read.words(4, spoke, '0x77778db3', id);
    const isCollateral = read.word(spoke, '0xa2a522f1', id, wallet) !== 0n;
    const supplied = read.word(spoke, '0xf1568a89', id, wallet);
    const collateralFactorBps = read.word(spoke, '0xec17bb00', id, configKey);
    const price = read.word(oracle, '0xd45c35ff', id);
    const owed = { drawnShares, premiumShares, premiumOffsetRay: signed(offset) };
    const debt = aaveV4Debt(owed, read.word(hub, '0xb5f460c8', assetId));
    const priced = { asset, decimals: Number(decimals), price, priceDecimals: PRICE_DECIMALS, oracle };
    const isSecuring = isCollateral && collateralFactorBps > 0n;
    if (suppliedShares > 0n)
      legs.push(isSecuring ? securedLeg(priced, supplied, collateralFactorBps) : lentLeg(priced, supplied));
    if (debt.amount > 0n) legs.push(owedLeg(priced, debt.amount));
    const collateral = isCollateral ? supplied : 0n;
    holdings.push({ decimals: Number(decimals), price, collateral, collateralFactorBps, debtRay: debt.ray });
  }
  return { legs, ...aaveV4AccountTotals(holdings) };
}
