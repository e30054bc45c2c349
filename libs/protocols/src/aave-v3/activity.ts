import { lowerCase, optionalContractOf, readAll } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { Activity } from '../activity/activity';
import type { ActivityFamily } from '../activity/activity-family';
import { EventTable } from '../activity/event-table';
import { addUsdPrice } from '../reader/usd-price';
import { poolAbi } from './abi';
import { V3_CALLS, resolveProvider, type PoolCalls } from './layout';

const events = new EventTable({
  'event Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)':
    { action: 'supply', wallet: 'onBehalfOf', counterparty: 'user', amount: 'amount', token: 'reserve' },
  'event Deposit(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referral)':
    { action: 'supply', wallet: 'onBehalfOf', counterparty: 'user', amount: 'amount', token: 'reserve' },
  'event Withdraw(address indexed reserve, address indexed user, address indexed to, uint256 amount)': {
    action: 'withdraw',
    wallet: 'user',
    counterparty: 'to',
    amount: 'amount',
    token: 'reserve',
  },
  'event Borrow(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint8 interestRateMode, uint256 borrowRate, uint16 indexed referralCode)':
    { action: 'borrow', wallet: 'onBehalfOf', counterparty: 'user', amount: 'amount', token: 'reserve' },
  'event Borrow(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint256 borrowRateMode, uint256 borrowRate, uint16 indexed referral)':
    { action: 'borrow', wallet: 'onBehalfOf', counterparty: 'user', amount: 'amount', token: 'reserve' },
  'event Repay(address indexed reserve, address indexed user, address indexed repayer, uint256 amount, bool useATokens)':
    { action: 'repay', wallet: 'user', counterparty: 'repayer', amount: 'amount', token: 'reserve' },
  'event Repay(address indexed reserve, address indexed user, address indexed repayer, uint256 amount)': {
    action: 'repay',
    wallet: 'user',
    counterparty: 'repayer',
    amount: 'amount',
    token: 'reserve',
  },
  'event LiquidationCall(address indexed collateralAsset, address indexed debtAsset, address indexed user, uint256 debtToCover, uint256 liquidatedCollateralAmount, address liquidator, bool receiveAToken)':
    {
      action: 'liquidation',
      wallet: 'user',
      counterparty: 'liquidator',
      amount: 'debtToCover',
      token: 'debtAsset',
    },
  // Transfers of the market's own tokens. The amount of their BalanceTransfer is scaled in v3 and unscaled in
  // v2. This amount is exact.
  'event Transfer(address indexed from, address indexed to, uint256 value)': {
    action: 'transfer',
    wallet: 'from',
    counterparty: 'to',
    amount: 'value',
    token: { of: 'emitter' },
  },
  'event PositionManagerApproved(address indexed user, address indexed positionManager)': {
    permission: { wallet: 'user', delegate: 'positionManager', isGranted: true },
  },
  'event PositionManagerRevoked(address indexed user, address indexed positionManager)': {
    permission: { wallet: 'user', delegate: 'positionManager', isGranted: false },
  },
});

/** A pool with the underlying asset of each of the market's tokens. */
interface AavePool {
  pool: Address;
  assetOf: ReadonlyMap<Address, Address>;
}

export function aaveActivity(calls: PoolCalls): ActivityFamily<AavePool> {
  const readSource: ActivityFamily<AavePool>['readSource'] = async (scope, block) => {
    const provider = await resolveProvider(scope, block);
    const pool = lowerCase(await readAll(scope, 'addresses', block, (plan) => calls.addPool(plan, provider)));
    const list = await readAll(scope, 'addresses', block, (plan) =>
      plan.call(pool, poolAbi, 'getReservesList', []),
    );
    const reserves = await readAll(scope, 'reserves', block, (plan) =>
      list.map((asset) => ({ asset: lowerCase(asset), data: calls.addReserve(plan, pool, asset) })),
    );
    return {
      pool,
      assetOf: new Map(reserves.map(({ asset, data }) => [lowerCase(data.aTokenAddress), asset])),
    };
  };
  return {
    events,
    readSource,
    addressesOf: ({ pool, assetOf }) => [pool, ...assetOf.keys()],
    learn: async (scope, source, logs, block) => {
      const known = new Set(source.assetOf.values());
      const isKnown = (log: (typeof logs)[number]): boolean => {
        if (log.address.toLowerCase() !== source.pool) return true;
        return events
          .read(log, { tokenOf: () => null })
          .every((read) => !('token' in read) || known.has(read.token));
      };
      return logs.every(isKnown) ? source : readSource(scope, block);
    },
    tokenOf: ({ assetOf }, _of, log) => assetOf.get(lowerCase(log.address)) ?? null,
    settle: (_source, activities) => settleTransfers(activities),
    addUsdPrice: (plan, { row, usdOracles }, _source, token) => {
      const own = row.family === 'aave-v3' ? optionalContractOf(row.contracts, 'oracle') : null;
      return addUsdPrice(plan, own ? [own, ...usdOracles] : usdOracles, token);
    },
  };
}

/**
 * A transfer inside another move is not a separate move: the seized amount of a liquidator or the treasury,
 * and the tokens that a gateway receives to withdraw them. The withdrawal belongs to their owner.
 */
function settleTransfers(activities: readonly Activity[]): Activity[] {
  const liquidated = new Set(activities.filter(is('liquidation')).map(({ wallet }) => wallet));
  const handed = new Set<Activity>();
  const settled = activities.map((activity, at) => {
    if (activity.action !== 'withdraw') return activity;
    const given = activities
      .slice(0, at)
      .find(
        (each) =>
          each.action === 'transfer' &&
          !handed.has(each) &&
          each.counterparty === activity.wallet &&
          each.token === activity.token &&
          each.amountRaw >= activity.amountRaw,
      );
    if (!given) return activity;
    handed.add(given);
    return { ...activity, wallet: given.wallet, counterparty: activity.wallet };
  });
  return settled.filter(
    (activity) =>
      activity.action !== 'transfer' || (!liquidated.has(activity.wallet) && !handed.has(activity)),
  );
}

function is(action: Activity['action']): (activity: Activity) => boolean {
  return (activity) => activity.action === action;
}

/** Aave v3, Spark, HyperLend. */
export const aaveV3Activity = aaveActivity(V3_CALLS);
