import { WAD } from '../fixed-point/math';
import { NO_POSITION, ONE_DOLLAR, owedLeg, securedLeg } from '../legs-math';
import { numberOf, type FormulaResult, type Market, type ReadWords } from '../receipt-math';
import { liquityV2Figures } from './math';

const PRICE_DECIMALS = 18;
/** The branches count every token with 18. */
const DECIMALS = 18;

/** The figures of a trove, whose sub-id is the place of its branch in the registry and its number. */
export function recomputeLiquityV2({ contracts, wallet, subId }: Market, read: ReadWords): FormulaResult {
  const registry = contracts['collateralRegistry']!;
  const [before = '', ...after] = subId.split(':');
  const [branch, trove] = [numberOf(before), numberOf(after.join(':'))];
  const manager = read.word(registry, '0x0bc17feb', branch);
  // The NFT of a closed trove has no owner.
  const owner = read.attemptWord(read.word(manager, '0x059e0113'), '0x6352211e', trove);
  if (owner !== wallet) return NO_POSITION;
  const [debt, collateral] = read.words(2, manager, '0xaad3f404', trove);
  const { price, oracle } = priceOf(contracts, read, manager);
  const minimum = read.word(read.word(manager, '0x77553ad4'), '0x794e5724');
  const { collateralValue, healthFactor } = liquityV2Figures({ collateral, debt }, price, minimum);
  const secured = {
    asset: read.word(registry, '0xe4b50cb8', branch),
    decimals: DECIMALS,
    price,
    priceDecimals: PRICE_DECIMALS,
    oracle,
  };
  const bold = { asset: read.word(registry, '0x630afce5'), decimals: DECIMALS, ...ONE_DOLLAR, oracle };
  return {
    legs: [securedLeg(secured, collateral, (WAD * 10_000n) / minimum), owedLeg(bold, debt)],
    totalCollateral: collateralValue,
    totalDebt: debt,
    healthFactor,
  };
}

/** No contract names the price feed of a branch: the receipt does, beside the trove manager. */
function priceOf(
  contracts: Market['contracts'],
  read: ReadWords,
  manager: bigint,
): { price: bigint; oracle: bigint } {
  const [name] = Object.entries(contracts).find(
    ([key, address]) => key.endsWith('.troveManager') && address === manager,
  ) ?? [''];
  const feed = contracts[name.replace('.troveManager', '.priceFeed')];
  return feed === undefined
    ? { price: read.words(2, manager, '0x4ea15f37')[1], oracle: manager }
    : { price: read.word(feed, '0x0fdb11cf'), oracle: feed };
}
