import {
  decimalsOf,
  lentLeg,
  owedLeg,
  securedLeg,
  shownPrice,
  type FormulaLeg,
  type PricedAsset,
} from '../legs-math';
import { numberOf, type FormulaResult, type Market, type ReadWords } from '../receipt-math';
import { siloDebt, siloDeposit, siloHealthFactor } from './math';

const FACTOR_PER_BPS = 10n ** 14n;
/** ISilo.AssetType of deposits that are not lent. */
const PROTECTED = 0n;
/** Used for the currency of an oracle that does not name it. */
const UNNAMED_DECIMALS = 18;

/** One of the two silos of a market. */
interface Silo {
  silo: bigint;
  token: bigint;
  /** 0n: the token itself is the currency of the market. */
  oracle: bigint;
  threshold: bigint;
  deposited: bigint;
  debt: bigint;
}

/** The figures of a wallet in the market whose number is the sub-id. */
export function recomputeSiloV2({ contracts, wallet, subId }: Market, read: ReadWords): FormulaResult {
  const config = read.word(contracts['factory']!, '0xde9bfd06', numberOf(subId));
  const silos = read
    .words(2, config, '0xaecc90cb')
    .slice(0, 2)
    .map((silo) => siloOf(read, config, silo, wallet));
  const secured = read.words(3, config, '0x94c0527d', wallet)[2];
  const collateralSide = silos.findIndex(({ silo }) => silo === secured);
  const debtSide = silos.findIndex(({ debt }) => debt > 0n);
  // A loan against deposits of the same token needs no oracle.
  const isSameToken = collateralSide >= 0 && collateralSide === debtSide;
  const unit = isSameToken ? silos[debtSide]!.token : quoteTokenOf(read, silos);
  const unitDecimals = unit === null ? UNNAMED_DECIMALS : decimalsOf(read, unit);
  const legs: FormulaLeg[] = [];
  let [totalCollateral, totalDebt] = [0n, 0n];
  silos.forEach(({ silo, token, oracle, threshold, deposited, debt }, side) => {
    const valueOf = (amount: bigint): bigint =>
      isSameToken || oracle === 0n ? amount : read.word(oracle, '0x13b0be33', amount, token);
    const priced = (value: bigint, amount: bigint): PricedAsset => {
      const decimals = decimalsOf(read, token);
      const price = (value * 10n ** BigInt(decimals)) / amount;
      return {
        asset: token,
        decimals,
        ...shownPrice(price, unitDecimals),
        oracle: oracle === 0n ? silo : oracle,
      };
    };
    if (deposited > 0n) {
      const value = valueOf(deposited);
      const counts = collateralSide < 0 ? threshold > 0n : collateralSide === side;
      if (counts) totalCollateral += value;
      const asset = priced(value, deposited);
      legs.push(
        counts ? securedLeg(asset, deposited, threshold / FACTOR_PER_BPS) : lentLeg(asset, deposited),
      );
    }
    if (debt > 0n) {
      const value = valueOf(debt);
      totalDebt += value;
      legs.push(owedLeg(priced(value, debt), debt));
    }
  });
  const threshold = silos[collateralSide]?.threshold ?? 0n;
  const healthFactor = siloHealthFactor(totalCollateral, totalDebt, threshold);
  return { legs, totalCollateral, totalDebt, healthFactor };
}

function siloOf(read: ReadWords, config: bigint, address: bigint, wallet: bigint): Silo {
  const [, , silo, token, protectedShares, collateralShares, debtShares, oracle, ...more] = read.words(
    12,
    config,
    '0xe48a5f7b',
    address,
  );
  const total = (shares: bigint, assets: bigint) => ({ assets, shares: read.word(shares, '0x18160ddd') });
  const own = (shares: bigint): bigint => read.word(shares, '0x70a08231', wallet);
  const secured = total(protectedShares, read.word(silo, '0xb6d821c7', PROTECTED));
  const collateral = total(collateralShares, read.word(silo, '0xa1ff9bee'));
  const debt = total(debtShares, read.word(silo, '0xecd658b4'));
  return {
    silo,
    token,
    oracle,
    threshold: more[3],
    deposited: siloDeposit(secured, own(protectedShares)) + siloDeposit(collateral, own(collateralShares)),
    debt: siloDebt(debt, own(debtShares)),
  };
}

/** The currency of the oracles' quotes. Null: its oracle does not state it. */
function quoteTokenOf(read: ReadWords, silos: readonly Silo[]): bigint | null {
  const oracle = silos.find((silo) => silo.oracle !== 0n)?.oracle;
  return oracle === undefined ? silos[0]!.token : read.attemptWord(oracle, '0x217a4b70');
}
