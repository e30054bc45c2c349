import { contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { toEventSelector, type Address } from 'viem';
import { fraxlendAbi as abi, readPairs } from './market';
import { addUsdPrice } from '../reader/usd-price';
import type { Activity } from '../activity/activity';
import type { ActivityFamily } from '../activity/activity-family';
import { EventTable } from '../activity/event-table';

const PAIR_ADDED = toEventSelector('AddPair(address)');

const [LOAN, COLLATERAL, PAIR] = [{ of: 'loan' }, { of: 'collateral' }, { of: 'emitter' }] as const;
const liquidation = {
  action: 'liquidation',
  wallet: '_borrower',
  amount: '_amountLiquidatorToRepay',
  token: LOAN,
  subId: PAIR,
} as const;
const events = new EventTable({
  'event Deposit(address indexed caller, address indexed owner, uint256 assets, uint256 shares)': {
    action: 'supply',
    wallet: 'owner',
    counterparty: 'caller',
    amount: 'assets',
    token: LOAN,
    subId: PAIR,
  },
  'event Withdraw(address indexed caller, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)':
    {
      action: 'withdraw',
      wallet: 'owner',
      counterparty: 'receiver',
      amount: 'assets',
      token: LOAN,
      subId: PAIR,
    },
  'event BorrowAsset(address indexed _borrower, address indexed _receiver, uint256 _borrowAmount, uint256 _sharesAdded)':
    {
      action: 'borrow',
      wallet: '_borrower',
      counterparty: '_receiver',
      amount: '_borrowAmount',
      token: LOAN,
      subId: PAIR,
    },
  'event RepayAsset(address indexed payer, address indexed borrower, uint256 amountToRepay, uint256 shares)':
    {
      action: 'repay',
      wallet: 'borrower',
      counterparty: 'payer',
      amount: 'amountToRepay',
      token: LOAN,
      subId: PAIR,
    },
  'event AddCollateral(address indexed sender, address indexed borrower, uint256 collateralAmount)': {
    action: 'supply',
    wallet: 'borrower',
    counterparty: 'sender',
    amount: 'collateralAmount',
    token: COLLATERAL,
    subId: PAIR,
  },
  'event RemoveCollateral(address indexed _sender, uint256 _collateralAmount, address indexed _receiver, address indexed _borrower)':
    {
      action: 'withdraw',
      wallet: '_borrower',
      counterparty: '_receiver',
      amount: '_collateralAmount',
      token: COLLATERAL,
      subId: PAIR,
    },
  'event Liquidate(address indexed _borrower, uint256 _collateralForLiquidator, uint256 _sharesToLiquidate, uint256 _amountLiquidatorToRepay, uint256 _feesAmount, uint256 _sharesToAdjust, uint256 _amountToAdjust)':
    liquidation,
  // Pairs of the first version.
  'event Liquidate(address indexed _borrower, uint256 _collateralForLiquidator, uint256 _sharesToLiquidate, uint256 _amountLiquidatorToRepay, uint256 _sharesToAdjust, uint256 _amountToAdjust)':
    liquidation,
});

interface Pairs {
  registry: Address;
  /** The key is the address of a pair. */
  pairs: ReadonlyMap<Address, { loan: Address; collateral: Address }>;
}

/** Fraxlend. */
export const fraxlendActivity: ActivityFamily<Pairs> = {
  events,
  noticeTopics: [PAIR_ADDED],
  readSource: async (scope, block) => {
    const registry = contractOf(scope.row, 'registry');
    const addresses = await readPairs(scope, block);
    const pairs = await readAll(scope, 'pairs', block, (plan) =>
      addresses.map((pair) => ({
        pair,
        loan: plan.call(pair, abi, 'asset', []),
        collateral: plan.call(pair, abi, 'collateralContract', []),
      })),
    );
    const tokens = pairs.map(({ pair, loan, collateral }) => {
      return [pair, { loan: lowerCase(loan), collateral: lowerCase(collateral) }] as const;
    });
    return { registry, pairs: new Map(tokens) };
  },
  addressesOf: ({ registry, pairs }) => [registry, ...pairs.keys()],
  learn: (scope, source, logs, block) => {
    const isAdded = logs.some(({ topics }) => topics[0] === PAIR_ADDED);
    return isAdded ? fraxlendActivity.readSource(scope, block) : Promise.resolve(source);
  },
  tokenOf: ({ pairs }, of, log) => {
    const pair = pairs.get(lowerCase(log.address));
    return (of === 'loan' ? pair?.loan : pair?.collateral) ?? null;
  },
  settle: (_source, activities) => settleLiquidations(activities),
  addUsdPrice: (plan, { usdOracles }, _source, token) => addUsdPrice(plan, usdOracles, token),
};

/**
 * A liquidation also logs the repayment, the collateral that the liquidator takes, and the part that the pair takes for
 * itself. Only the repayment names the liquidator. Source: fraxlend, FraxlendPairCore.sol, liquidate.
 */
function settleLiquidations(activities: readonly Activity[]): Activity[] {
  const dropped = new Set<Activity>();
  const named = new Map<Activity, Activity>();
  for (const liquidated of activities.filter(({ action }) => action === 'liquidation')) {
    const own = activities.filter(
      (each) =>
        each.wallet === liquidated.wallet &&
        each.log.address === liquidated.log.address &&
        !dropped.has(each),
    );
    const paid = own.find(
      ({ action, amountRaw }) => action === 'repay' && amountRaw === liquidated.amountRaw,
    );
    if (!paid) continue;
    dropped.add(paid);
    const pair = lowerCase(liquidated.log.address);
    for (const receiver of [paid.counterparty, pair]) {
      const taken = own.find(
        ({ action, counterparty }) => action === 'withdraw' && counterparty === receiver,
      );
      if (taken) dropped.add(taken);
    }
    const kept = activities.find(
      (each) => each.action === 'supply' && each.wallet === pair && !dropped.has(each),
    );
    if (kept) dropped.add(kept);
    named.set(liquidated, { ...liquidated, counterparty: paid.counterparty });
  }
  return activities.filter((each) => !dropped.has(each)).map((each) => named.get(each) ?? each);
}
