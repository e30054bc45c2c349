import {
  NO_POSITION,
  decimalsOf,
  lentLeg,
  owedLeg,
  securedLeg,
  shownPrice,
  type PricedAsset,
} from '../legs-math';
import {
  CallMissing,
  listAt,
  numberOf,
  type FormulaResult,
  type Market,
  type ReadWords,
} from '../receipt-math';
import { eulerAdjusted, eulerHealthFactor } from './math';

/** Decimals of an asset or a unit of account without decimals(), such as the dollar. */
const MISSING_DECIMALS = 18;
const FOR_LIQUIDATION = 1n;

/**
 * The figures of a sub-account with a controller, whose sub-id is its number. A sub-account without a loan has no
 * formula, because dollar oracles outside of the protocol price its shares.
 */
export function recomputeEulerV2({ contracts, wallet, subId }: Market, read: ReadWords): FormulaResult {
  const evc = contracts['evc']!;
  const account = wallet ^ numberOf(subId);
  const owner = read.word(evc, '0x442b172c', account);
  if (owner !== wallet && !(owner === 0n && account === wallet)) return NO_POSITION;
  const [controller] = read.list(evc, '0xfd6046d7', account);
  if (controller === undefined) throw new CallMissing('a controller of the sub-account');
  const oracle = read.word(controller, '0x7dc0d1d0');
  const unit = read.word(controller, '0x3e833364');
  const debt = read.word(controller, '0xd283e75f', account);
  const liquidity = read.words(3, controller, '0xc7b0e3a3', account, FOR_LIQUIDATION);
  const liability = liquidity[2];
  const unitDecimals = tokenOf(read, unit).decimals;
  const priced = (vault: bigint, value: bigint, amount: bigint): PricedAsset => {
    const { asset, decimals } = tokenOf(read, vault);
    const scaled = amount === 0n ? 0n : (value * 10n ** BigInt(decimals)) / amount;
    return { asset, decimals, ...shownPrice(scaled, unitDecimals), oracle };
  };
  let [totalCollateral, adjusted] = [0n, 0n];
  const legs = listAt(liquidity, 0).flatMap((vault) => {
    const shares = read.word(vault, '0x70a08231', account);
    if (shares === 0n) return [];
    const ltvBps = read.word(controller, '0xaf5aaeeb', vault);
    const amount = read.attemptWord(vault, '0x07a2d13a', shares) ?? shares;
    // A vault without an LTV counts as zero, and its price may be unknown.
    const value = ltvBps > 0n ? read.word(oracle, '0xae68676c', shares, vault, unit) : 0n;
    totalCollateral += value;
    adjusted += eulerAdjusted(value, ltvBps);
    const asset = priced(vault, value, amount);
    return [ltvBps > 0n ? securedLeg(asset, amount, ltvBps) : lentLeg(asset, amount)];
  });
  if (debt > 0n) legs.push(owedLeg(priced(controller, liability, debt), debt));
  return {
    legs,
    totalCollateral,
    totalDebt: liability,
    healthFactor: eulerHealthFactor(adjusted, liability),
  };
}

/** The asset of a vault. A unit of account, and a collateral that is no vault, are their own. */
function tokenOf(read: ReadWords, vault: bigint): { asset: bigint; decimals: number } {
  const asset = read.attemptWord(vault, '0x38d52e0f') ?? vault;
  return { asset, decimals: decimalsOf(read, asset, MISSING_DECIMALS) };
}
