import { planOf, contractOf, lowerCase, readAll } from '@plimsoll/evm';
import type { Address } from 'viem';
import { oracleAbi, spokeAbi } from './accounts';
import type { ActivityFamily } from '../activity/activity-family';
import { EventTable } from '../activity/event-table';

/** Converts the oracle's price in dollars to a wad. */
const PRICE_TO_WAD = 10n ** 10n;
const PREMIUM = '(int256 sharesDelta, int256 offsetRayDelta, uint256 restoredPremiumRay) premiumDelta';

const RESERVE = { listed: 'reserveId' } as const;
const OF_USER = { wallet: 'user', counterparty: 'caller', token: RESERVE } as const;
const events = new EventTable({
  'event Supply(uint256 indexed reserveId, address indexed caller, address indexed user, uint256 suppliedShares, uint256 suppliedAmount)':
    { action: 'supply', amount: 'suppliedAmount', ...OF_USER },
  'event Withdraw(uint256 indexed reserveId, address indexed caller, address indexed user, uint256 withdrawnShares, uint256 withdrawnAmount)':
    { action: 'withdraw', amount: 'withdrawnAmount', ...OF_USER },
  'event Borrow(uint256 indexed reserveId, address indexed caller, address indexed user, uint256 drawnShares, uint256 drawnAmount)':
    { action: 'borrow', amount: 'drawnAmount', ...OF_USER },
  [`event Repay(uint256 indexed reserveId, address indexed caller, address indexed user, uint256 drawnShares, uint256 totalAmountRepaid, ${PREMIUM})`]:
    { action: 'repay', amount: 'totalAmountRepaid', ...OF_USER },
  [`event LiquidationCall(uint256 indexed collateralReserveId, uint256 indexed debtReserveId, address indexed user, address liquidator, bool receiveShares, uint256 debtAmountRestored, uint256 drawnSharesLiquidated, ${PREMIUM}, uint256 collateralAmountRemoved, uint256 collateralSharesLiquidated, uint256 collateralSharesToLiquidator)`]:
    {
      action: 'liquidation',
      wallet: 'user',
      counterparty: 'liquidator',
      amount: 'debtAmountRestored',
      token: { listed: 'debtReserveId' },
    },
  'event SetUserPositionManager(address indexed user, address indexed positionManager, bool approve)': {
    permission: { wallet: 'user', delegate: 'positionManager', isGranted: 'approve' },
  },
});

interface Spoke {
  spoke: Address;
  oracle: Address;
  /** Token of each reserve, by its id. */
  reserves: readonly Address[];
}

/** Spokes of Aave v4. */
export const aaveV4Activity: ActivityFamily<Spoke> = {
  events,
  readSource: async ({ row, multicall }, block) => {
    const spoke = contractOf(row, 'spoke');
    const entry = planOf(row, 'spoke');
    const oracle = entry.call(spoke, spokeAbi, 'ORACLE', []);
    const count = entry.call(spoke, spokeAbi, 'getReserveCount', []);
    const found = await multicall.read(
      entry.build(({ value }) => ({ oracle: lowerCase(value(oracle)), count: Number(value(count)) })),
      block,
    );
    const reserves = (
      await readAll({ row, multicall }, 'reserves', block, (plan) =>
        Array.from({ length: found.count }, (_, id) =>
          plan.call(spoke, spokeAbi, 'getReserve', [BigInt(id)]),
        ),
      )
    ).map((each) => lowerCase(each.underlying));
    return { spoke, oracle: found.oracle, reserves };
  },
  addressesOf: ({ spoke }) => [spoke],
  learn: async (scope, source, logs, block) => {
    let isNew = false;
    const tokenOf = (_of: string, _log: unknown, id: string): null => {
      isNew ||= BigInt(id) >= BigInt(source.reserves.length);
      return null;
    };
    for (const log of logs) events.read(log, { tokenOf });
    return isNew ? aaveV4Activity.readSource(scope, block) : source;
  },
  tokenOf: ({ reserves }, _of, _log, id) => reserves[Number(BigInt(id))] ?? null,
  addUsdPrice: (plan, _scope, { oracle, reserves }, token) => {
    const id = reserves.indexOf(token);
    if (id < 0) return () => null;
    const slot = plan.call(oracle, oracleAbi, 'getReservePrice', [BigInt(id)]);
    return ({ outcome }) => {
      const price = outcome(slot);
      return price.ok && price.value > 0n ? price.value * PRICE_TO_WAD : null;
    };
  },
};
