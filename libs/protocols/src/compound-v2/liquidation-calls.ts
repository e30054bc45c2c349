import { contractOf, lowerCase, readAll, type Transaction } from '@plimsoll/evm';
import { encodeFunctionData, parseAbi, zeroAddress, type Address, type Hex } from 'viem';
import { WAD } from '../fixed-point/math';
import type { RawPosition } from '../reader/raw-position';
import { readFunds } from '../verdicts/funds';
import type { VerdictScope } from '../verdicts/verdict';

const abi = parseAbi([
  'function liquidateBorrow(address borrower, uint256 repayAmount, address collateral) returns (uint256)',
  'function liquidatorContract() view returns (address)',
  'function vaiController() view returns (address)',
  'function getVAIAddress() view returns (address)',
  'function forceVAILiquidate() view returns (bool)',
  'function minLiquidatableVAI() view returns (uint256)',
  'function minLiquidatableCollateral() view returns (uint256)',
  'function liquidationIncentiveMantissa() view returns (uint256)',
  'function healAccount(address user)',
]);
// Liquidator.sol of Venus: the market is an argument, and it returns nothing.
const liquidatorAbi = parseAbi([
  'function liquidateBorrow(address market, address borrower, uint256 repayAmount, address collateral)',
]);
const accountAbi = parseAbi([
  'struct Order { address collateral; address borrowed; uint256 repayAmount; }',
  'function liquidateAccount(address borrower, Order[] orders)',
]);

/** A market token with its underlying. Zero address: the chain's own coin. */
export interface Market {
  market: Address;
  underlying: Address;
  /** Whether its debts may be liquidated at any health factor. */
  isDeprecated: boolean;
}

/** A wallet's balances in a market, with interest. */
export interface MarketBalance {
  supplied: bigint;
  borrowed: bigint;
}

/** A call that liquidates, and the name of its function. */
export interface LiquidationCall extends Transaction {
  of: string;
}

/** A balance of a wallet with what a repayment or seizure of it needs. */
interface Side extends MarketBalance {
  market: Address;
  isDeprecated: boolean;
  /** How much of the underlying the sender can pay. */
  funds: bigint;
  price: bigint;
}

/** How a pool of Venus wants to be liquidated. */
interface VenusRules {
  /** The only contract that may liquidate in the core pool. Null: everyone may. */
  liquidator: Address | null;
  vai: { controller: Address; token: Address; mustRepayFrom: bigint | null } | null;
  /** Isolated pools: collateral of up to this value can only be liquidated as a whole. */
  smallestCollateral: bigint;
  /** Isolated pools: what is seized for one unit of repaid debt. */
  incentive: bigint;
}

const NO_RULES: VenusRules = { liquidator: null, vai: null, smallestCollateral: 0n, incentive: 0n };

/**
 * The call that liquidates each position, in order. Null: nothing can be repaid or seized, or the sender cannot pay.
 * @throws ChainReadError
 */
export async function liquidationsOf(
  scope: VerdictScope,
  markets: readonly Market[],
  positions: readonly RawPosition[],
  balances: readonly (readonly MarketBalance[])[],
): Promise<(LiquidationCall | null)[]> {
  const rules = await readRules(scope);
  const { liquidator, vai } = rules;
  const payments = markets.map(({ market, underlying }) => {
    return { token: underlying, spender: liquidator ?? market };
  });
  if (vai) payments.push({ token: vai.token, spender: liquidator ?? vai.controller });
  const funds = await readFunds(scope, payments);
  return positions.map((position, index) => {
    const sides = sidesOf(position, markets, balances[index]!, funds, scope.row.family);
    const isSmall = position.totalCollateralRaw <= rules.smallestCollateral;
    if (isSmall && scope.row.family === 'venus-isolated')
      return wholeAccount(scope, position, sides, rules.incentive);
    const owedVai = vai && vaiSide(position, vai.controller, funds.at(-1)!);
    // VAIDebtTooHigh in Liquidator.sol.
    const mustRepayVai = owedVai && vai.mustRepayFrom !== null && owedVai.borrowed >= vai.mustRepayFrom;
    const repayment = mustRepayVai
      ? repaymentOf([owedVai], sides)
      : repaymentOf(owedVai && liquidator ? [...sides, owedVai] : sides, sides);
    return repayment && liquidateBorrow(position.wallet, repayment, liquidator);
  });
}

async function readRules(scope: VerdictScope): Promise<VenusRules> {
  const { row, block } = scope;
  if (row.family === 'venus-isolated') return readIsolatedRules(scope);
  if (row.family !== 'venus-core') return NO_RULES;
  const comptroller = contractOf(row, 'comptroller');
  const found = await readAll(scope, 'liquidator', block, (plan) => ({
    liquidator: plan.call(comptroller, abi, 'liquidatorContract', []),
    controller: plan.call(comptroller, abi, 'vaiController', []),
  }));
  const [liquidator, controller] = [lowerCase(found.liquidator), lowerCase(found.controller)];
  if (controller === zeroAddress)
    return { ...NO_RULES, liquidator: liquidator === zeroAddress ? null : liquidator };
  const token = await readAll(scope, 'VAI', block, (plan) => plan.call(controller, abi, 'getVAIAddress', []));
  const vai = { controller, token: lowerCase(token) };
  if (liquidator === zeroAddress) return { ...NO_RULES, vai: { ...vai, mustRepayFrom: null } };
  const force = await readAll(scope, 'force of VAI', block, (plan) => ({
    isForced: plan.call(liquidator, abi, 'forceVAILiquidate', []),
    smallest: plan.call(liquidator, abi, 'minLiquidatableVAI', []),
  }));
  return { ...NO_RULES, liquidator, vai: { ...vai, mustRepayFrom: force.isForced ? force.smallest : null } };
}

async function readIsolatedRules(scope: VerdictScope): Promise<VenusRules> {
  const comptroller = contractOf(scope.row, 'comptroller');
  const rules = await readAll(scope, 'liquidation rules', scope.block, (plan) => ({
    smallestCollateral: plan.call(comptroller, abi, 'minLiquidatableCollateral', []),
    incentive: plan.call(comptroller, abi, 'liquidationIncentiveMantissa', []),
  }));
  return { ...NO_RULES, ...rules };
}

function sidesOf(
  { legs }: RawPosition,
  markets: readonly Market[],
  balances: readonly MarketBalance[],
  funds: readonly bigint[],
  family: string,
): Side[] {
  // Venus seizes only what secures the debt.
  const isSeized = (address: Address): boolean =>
    family === 'compound-v2' || legs.some((leg) => leg.address === address && leg.usedAsCollateral);
  return markets.map(({ market, underlying, isDeprecated }, at) => ({
    market,
    isDeprecated,
    ...balances[at]!,
    supplied: isSeized(underlying) ? balances[at]!.supplied : 0n,
    funds: funds[at]!,
    price: legs.find(({ address }) => address === underlying)?.priceRaw ?? 0n,
  }));
}

/** A debt in VAI, which a liquidation names by its controller. Null without one. */
function vaiSide({ legs }: RawPosition, controller: Address, funds: bigint): Side | null {
  const leg = legs.find(({ address, side }) => address === controller && side === 'debt');
  if (!leg) return null;
  return {
    market: controller,
    isDeprecated: false,
    supplied: 0n,
    borrowed: leg.amountRaw,
    funds,
    price: leg.priceRaw,
  };
}

/** A repayment that any liquidation permits, and the market whose tokens it seizes. */
interface Repayment {
  debt: Address;
  collateral: Address;
  amount: bigint;
}

/**
 * A quarter of a debt, or of what the largest supply covers: close factors are above a quarter. The debt is that of a
 * deprecated market, or else the largest that the sender can repay. Null: nothing can be repaid or seized.
 */
function repaymentOf(debts: readonly Side[], supplies: readonly Side[]): Repayment | null {
  const largest = (sides: readonly Side[], side: 'supplied' | 'borrowed') =>
    sides
      .filter((each) => each[side] > 0n && (side === 'supplied' || each.funds >= each.borrowed))
      .toSorted((a, b) => (a[side] * a.price < b[side] * b.price ? 1 : -1))[0];
  const deprecated = debts.find((each) => each.isDeprecated && each.borrowed > 0n);
  const [owed, held] = [deprecated ?? largest(debts, 'borrowed'), largest(supplies, 'supplied')];
  if (!owed || !held || owed.price === 0n || owed.funds < owed.borrowed) return null;
  const covered = (held.supplied * held.price) / owed.price;
  const amount = (owed.borrowed < covered ? owed.borrowed : covered) / 4n;
  return amount === 0n ? null : { debt: owed.market, collateral: held.market, amount };
}

function liquidateBorrow(
  wallet: Address,
  { debt, collateral, amount }: Repayment,
  liquidator: Address | null,
): LiquidationCall {
  const functionName = 'liquidateBorrow';
  const data: Hex = liquidator
    ? encodeFunctionData({ abi: liquidatorAbi, functionName, args: [debt, wallet, amount, collateral] })
    : encodeFunctionData({ abi, functionName, args: [wallet, amount, collateral] });
  return { of: functionName, to: liquidator ?? debt, data };
}

/**
 * A small account of an isolated pool: all debts are repaid and as much is seized, or where the collateral does not
 * cover that, all of it is seized and the rest of the debts is forgiven (Comptroller.sol of isolated-pools).
 */
function wholeAccount(
  { row }: VerdictScope,
  { wallet, totalCollateralRaw, totalDebtRaw }: RawPosition,
  sides: readonly Side[],
  incentive: bigint,
): LiquidationCall | null {
  const owed = sides.filter(({ borrowed }) => borrowed > 0n);
  if (owed.length === 0 || owed.some(({ funds, borrowed }) => funds < borrowed)) return null;
  const to = contractOf(row, 'comptroller');
  const isCovered = (incentive * totalDebtRaw) / WAD < totalCollateralRaw;
  if (!isCovered)
    return {
      of: 'healAccount',
      to,
      data: encodeFunctionData({ abi, functionName: 'healAccount', args: [wallet] }),
    };
  const orders = ordersOf(owed, sides, incentive);
  const data = encodeFunctionData({
    abi: accountAbi,
    functionName: 'liquidateAccount',
    args: [wallet, orders],
  });
  return { of: 'liquidateAccount', to, data };
}

/** Every debt, out of one supply after the other. */
function ordersOf(owed: readonly Side[], sides: readonly Side[], incentive: bigint) {
  const held = sides
    .filter(({ supplied }) => supplied > 0n)
    .map(({ market, supplied, price }) => ({ market, worth: supplied * price }));
  return owed.flatMap(({ market: borrowed, borrowed: debt, price }) => {
    let left = debt;
    const orders: { collateral: Address; borrowed: Address; repayAmount: bigint }[] = [];
    for (const each of held) {
      const most = (each.worth * WAD) / (price * incentive);
      const repayAmount = left < most ? left : most;
      if (repayAmount === 0n) continue;
      orders.push({ collateral: each.market, borrowed, repayAmount });
      each.worth -= (repayAmount * price * incentive) / WAD;
      left -= repayAmount;
    }
    return orders;
  });
}
