import { NO_CAP, type ParameterValue } from '@plimsoll/contracts';
import { ChainReadError, MulticallAfter, lowerCase, readAll } from '@plimsoll/evm';
import { type Address, encodeFunctionData, parseAbi } from 'viem';
import {
  type AnnouncedChange,
  type Announcements,
  ENDED_FOR,
  NO_ANNOUNCEMENTS,
  changed,
  shareOfBps,
} from '../reader/announcements';
import type { AnnouncementScope, ReadAnnouncements } from '../reader/family';
import type { AaveV3Account } from './accounts';
import { belongsTo } from './held-reserves';
import { readLayout } from './layout';
import { type AaveV3Market, type AaveV3Reserve, planMarket } from './market';

const ownerAbi = parseAbi(['function owner() view returns (address)']);
/** PayloadsController of aave-governance-v3. */
const controllerAbi = parseAbi([
  'struct Action { address target; bool withDelegateCall; uint8 accessLevel; uint256 value; string signature; bytes callData; }',
  'struct Payload { address creator; uint8 maximumAccessLevelRequired; uint8 state; uint40 createdAt; uint40 queuedAt; uint40 executedAt; uint40 cancelledAt; uint40 expirationTime; uint40 delay; uint40 gracePeriod; Action[] actions; }',
  'struct ExecutorConfig { address executor; uint40 delay; }',
  'function getPayloadsCount() view returns (uint40)',
  'function getPayloadById(uint40 payloadId) view returns (Payload)',
  'function getExecutorSettingsByAccessControl(uint8 accessControl) view returns (ExecutorConfig)',
]);
const executorAbi = parseAbi([
  'function executeTransaction(address target, uint256 value, string signature, bytes data, bool withDelegatecall) payable returns (bytes)',
]);
const STATES = { queued: 2, executed: 3, cancelled: 4, expired: 5 } as const;
/** Payloads are rarely queued for more than a few days, and all protocols of a chain share the controller. */
const NEWEST_PAYLOADS = 40n;

type Change = AnnouncedChange<AaveV3Market, AaveV3Account>;

/**
 * The payloads that wait in the payloads controller of the governance of Aave. A payload is a contract, so only executing
 * it shows what it changes: its calls are made on the state of the block, without sending them, and the market is read after them.
 */
export const readAaveV3Announcements: ReadAnnouncements<AaveV3Market, AaveV3Account> = async (
  scope,
  market,
) => {
  const { block } = market;
  const controller = await controllerOf(scope, market);
  if (controller === null) return NO_ANNOUNCEMENTS;
  const { count } = await readAll(scope, 'payloads', block, (plan) => ({
    count: plan.attempt(controller, controllerAbi, 'getPayloadsCount', []),
  }));
  // Another owner of the executor.
  if (!count.ok) return NO_ANNOUNCEMENTS;
  const newest = BigInt(count.value);
  const first = newest > NEWEST_PAYLOADS ? newest - NEWEST_PAYLOADS : 0n;
  const payloads = await readAll(scope, 'payloads', block, (plan) =>
    Array.from({ length: Number(newest - first) }, (_, at) => {
      const id = Number(first) + at;
      return { id, payload: plan.call(controller, controllerAbi, 'getPayloadById', [id]) };
    }),
  );
  const result: { changes: Change[]; ended: Announcements<Change>['ended'][number][] } = {
    changes: [],
    ended: [],
  };
  for (const { id, payload } of payloads) {
    const proposalId = `payload ${id}`;
    const [earliestAt, endedAt] = [
      BigInt(payload.queuedAt) + BigInt(payload.delay),
      BigInt(Math.max(payload.executedAt, payload.cancelledAt)),
    ];
    const expiresAt = earliestAt + BigInt(payload.gracePeriod);
    if (payload.state === STATES.queued && block.timestamp <= expiresAt) {
      const after = await marketAfter(scope, market, controller, payload.actions);
      const dates = { earliestAt, expiresAt, isGradual: false };
      if (after)
        for (const { part, ...change } of differences(market, after))
          result.changes.push({
            id: `${proposalId} ${part}`,
            proposalId,
            source: controller,
            ...change,
            ...dates,
            after: (account) => ({ market: after, account }),
          });
    } else if (isQueuedOrExpired(payload) && block.timestamp <= expiresAt + ENDED_FOR)
      result.ended.push({ proposalId, end: 'expired' });
    else if (endedAt > 0n && block.timestamp <= endedAt + ENDED_FOR)
      result.ended.push({ proposalId, end: payload.state === STATES.executed ? 'executed' : 'cancelled' });
  }
  return result;
};

/** A payload also expires before it is queued. */
const isQueuedOrExpired = ({ state, queuedAt }: { state: number; queuedAt: number }): boolean =>
  state === STATES.queued || (state === STATES.expired && queuedAt > 0);

/** The owner of the executor that owns the market. Null: nothing owns it, or not by a contract with an owner. */
async function controllerOf(
  scope: AnnouncementScope,
  { layout, block }: AaveV3Market,
): Promise<Address | null> {
  const { executor } = await readAll(scope, 'owner', block, (plan) => ({
    executor: plan.attempt(layout.addressesProvider, ownerAbi, 'owner', []),
  }));
  if (!executor.ok) return null;
  const { controller } = await readAll(scope, 'owner of the executor', block, (plan) => ({
    controller: plan.attempt(executor.value, ownerAbi, 'owner', []),
  }));
  return controller.ok ? lowerCase(controller.value) : null;
}

interface Action {
  target: Address;
  withDelegateCall: boolean;
  accessLevel: number;
  value: bigint;
  signature: string;
  callData: `0x${string}`;
}

/** The market after the calls of a payload. Null: one of them reverts now. */
async function marketAfter(
  scope: AnnouncementScope,
  { layout, block }: AaveV3Market,
  controller: Address,
  actions: readonly Action[],
): Promise<AaveV3Market | null> {
  const executors = await readAll(scope, 'executors', block, (plan) =>
    actions.map(({ accessLevel }) =>
      plan.call(controller, controllerAbi, 'getExecutorSettingsByAccessControl', [accessLevel]),
    ),
  );
  const calls = actions.map(({ target, value, signature, callData, withDelegateCall }, at) => ({
    target: executors[at]!.executor,
    data: encodeFunctionData({
      abi: executorAbi,
      functionName: 'executeTransaction',
      args: [target, value, signature, callData, withDelegateCall],
    }),
  }));
  const after = {
    ...scope,
    multicall: new MulticallAfter(scope.client, scope.multicall.multicall3, controller, calls),
  };
  try {
    const known = await after.multicall.read(planMarket(after, layout, block), block);
    // The payload lists an asset, or replaces the oracle or a category.
    return (
      known ?? (await after.multicall.read(planMarket(after, await readLayout(after, block), block), block))
    );
  } catch (error) {
    if (error instanceof ChainReadError && error.code === 'call_failed') return null;
    throw error;
  }
}

interface Difference extends Pick<Change, 'token' | 'symbol' | 'values' | 'concerns'> {
  /** Unique in the market. */
  part: string;
}

/** The differences between two states of a market, by asset and by e-mode. */
function differences(before: AaveV3Market, after: AaveV3Market): Difference[] {
  const reserves = before.reserves.flatMap((reserve): Difference[] => {
    const then = after.reserves.find(({ address }) => address === reserve.address);
    if (!then) return [];
    const [own, next] = [reserve.parameters, then.parameters];
    const values = changed([
      value('liquidation_threshold', own.liquidationThresholdBps, next.liquidationThresholdBps),
      value('max_ltv', own.ltvBps, next.ltvBps),
      { parameter: 'oracle', from: reserve.priceSource, to: then.priceSource },
      { parameter: 'supply_cap', from: textOfCap(reserve.supplyCap), to: textOfCap(then.supplyCap) },
      { parameter: 'borrow_cap', from: textOfCap(reserve.borrowCap), to: textOfCap(then.borrowCap) },
    ]);
    return [{ part: reserve.address, token: reserve.address, symbol: reserve.symbol, values }];
  });
  const eModes = [...before.eModes].flatMap(([id, eMode]): Difference[] => {
    const then = after.eModes.get(id);
    if (!then) return [];
    const values = changed([
      value('liquidation_threshold', eMode.liquidationThresholdBps, then.liquidationThresholdBps),
      value('max_ltv', eMode.ltvBps, then.ltvBps),
    ]);
    const concerns = ({ eModeCategory }: AaveV3Account): boolean => eModeCategory === id;
    const members = membershipChanges(before, after, id).map((change) => ({ ...change, concerns }));
    return [
      { part: `e-mode ${id}`, token: null, symbol: `e-mode ${eMode.label}`, values, concerns },
      ...members,
    ];
  });
  return [...reserves, ...eModes].filter(({ values }) => values.length > 0);
}

/** The assets that an e-mode begins or ceases to accept as collateral, with the parameters that then apply to its users. */
function membershipChanges(before: AaveV3Market, after: AaveV3Market, id: number): Difference[] {
  return before.reserves.flatMap((reserve): Difference[] => {
    const then = after.reserves.find(({ address }) => address === reserve.address);
    if (!then) return [];
    const [own, next] = [parametersIn(before, id, reserve), parametersIn(after, id, then)];
    if (own.isMember === next.isMember) return [];
    const values = changed([
      value('liquidation_threshold', own.liquidationThresholdBps, next.liquidationThresholdBps),
      value('max_ltv', own.ltvBps, next.ltvBps),
    ]);
    return [
      { part: `e-mode ${id} ${reserve.address}`, token: reserve.address, symbol: reserve.symbol, values },
    ];
  });
}

/** The parameters of an asset for the users of an e-mode. */
function parametersIn({ eModes }: AaveV3Market, id: number, reserve: AaveV3Reserve) {
  const eMode = eModes.get(id);
  const isMember = eMode !== undefined && belongsTo(reserve, id, eMode);
  const { liquidationThresholdBps, ltvBps } = isMember ? eMode : reserve.parameters;
  return { isMember, liquidationThresholdBps, ltvBps };
}

const value = (parameter: ParameterValue['parameter'], from: bigint, to: bigint): ParameterValue => ({
  parameter,
  from: shareOfBps(from),
  to: shareOfBps(to),
});

const textOfCap = (cap: bigint | null): string => (cap === null ? NO_CAP : String(cap));
