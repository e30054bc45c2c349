import { WAD } from '../fixed-point/math';
import { NO_POSITION, decimalsOf, owedLeg, securedLeg, shownPrice } from '../legs-math';
import { listAt, numberOf, type FormulaResult, type Market, type ReadWords } from '../receipt-math';
import { DOLOMITE_VALUE_DECIMALS, dolomiteAdjusted, dolomiteHealthFactor, dolomiteMargin } from './math';

/** The figures of an account, whose sub-id is its number, after the isolation vault that owns it. */
export function recomputeDolomite({ contracts, wallet, subId }: Market, read: ReadWords): FormulaResult {
  const margin = contracts['margin']!;
  const colon = subId.lastIndexOf(':');
  const number = numberOf(subId.slice(colon + 1));
  const vault = colon < 0 ? wallet : numberOf(subId.slice(0, colon));
  if (vault !== wallet && !ownsVault(read, margin, wallet, vault)) return NO_POSITION;
  const found = read.words(4, margin, '0x6a8194e7', vault, number);
  const ids = listAt(found, 0);
  // Each is a sign and a value. True is a supply.
  const [pars, amounts] = [listAt(found, 2, 2), listAt(found, 3, 2)];
  const override = read.attemptWord(margin, '0x5d3c0ce8', vault, number) ?? 0n;
  const { ratio, hasPremiums } = dolomiteMargin(read.word(margin, '0x4f3c1542'), override);
  const balances = ids
    .map((id, index) => ({
      id,
      isDebt: pars[2 * index] === 0n,
      par: pars[2 * index + 1]!,
      amount: amounts[2 * index + 1]!,
    }))
    .filter(({ par }) => par > 0n)
    .map((balance) => ({
      ...balance,
      price: read.attemptWord(margin, '0x8928378e', balance.id) ?? 0n,
      marginPremium: read.word(margin, '0xfd04b606', balance.id),
    }));
  const legs = balances.map(({ id, isDebt, amount, price, marginPremium }) => {
    const asset = read.word(margin, '0x062bd3e9', id);
    const decimals = decimalsOf(read, asset);
    const shown = shownPrice(price, DOLOMITE_VALUE_DECIMALS - decimals);
    const priced = { asset, decimals, ...shown, oracle: margin };
    const required = ((WAD + ratio) * (WAD + (hasPremiums ? marginPremium : 0n))) / WAD;
    return isDebt ? owedLeg(priced, amount) : securedLeg(priced, amount, (WAD * 10_000n) / required);
  });
  const values = balances.map(({ isDebt, amount, price, marginPremium }) => {
    return { isDebt, marginPremium, value: amount * price };
  });
  const totalOf = (isOwed: boolean): bigint =>
    values.reduce((sum, { isDebt, value }) => (isDebt === isOwed ? sum + value : sum), 0n);
  const { supply, borrow } = dolomiteAdjusted(values, { ratio, hasPremiums });
  return {
    legs,
    totalCollateral: totalOf(false),
    totalDebt: totalOf(true),
    healthFactor: dolomiteHealthFactor(supply, borrow, ratio),
  };
}

/** Whether a vault is that of the wallet for the token of a market in isolation mode. */
function ownsVault(read: ReadWords, margin: bigint, wallet: bigint, vault: bigint): boolean {
  const count = read.word(margin, '0x295c39a5');
  for (let id = 0n; id < count; id++) {
    const factory = read.word(margin, '0x062bd3e9', id);
    const isIsolated = (read.attemptWord(factory, '0xed4e3a35') ?? 0n) !== 0n;
    if (isIsolated && read.attemptWord(factory, '0xb01f61e1', wallet) === vault) return true;
  }
  return false;
}
