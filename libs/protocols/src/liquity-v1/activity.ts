import {
  planOf,
  readHeadAt,
  type MinedLog,
  type BlockRef,
  ChainReadError,
  contractOf,
  lowerCase,
} from '@plimsoll/evm';
import { parseAbi, zeroAddress, type Address } from 'viem';
import type { Activity } from '../activity/activity';
import type { ActivityFamily, ActivityScope } from '../activity/activity-family';
import { EventTable } from '../activity/event-table';
import { addressAt, eventLayout, fits, uintAt } from '../activity/log-words';
import { type Senders, readSenders, withLiquidator } from '../activity/transaction-senders';

const abi = parseAbi([
  'function borrowerOperationsAddress() view returns (address)',
  'function lusdToken() view returns (address)',
  'function priceFeed() view returns (address)',
  'function fetchPrice() view returns (uint256)',
  'function Troves(address borrower) view returns (uint256 debt, uint256 coll, uint256 stake, uint8 status, uint128 arrayIndex)',
]);
const UPDATED = eventLayout(
  'event TroveUpdated(address indexed _borrower, uint256 _debt, uint256 _coll, uint256 stake, uint8 operation)',
);
const FEE_PAID = eventLayout('event LUSDBorrowingFeePaid(address indexed _borrower, uint256 _LUSDFee)');
/** Operations of BorrowerOperations. */
const [OPEN, CLOSE] = [0n, 1n];
/** The gas reserve is part of every debt. No wallet borrows or repays it. */
const RESERVE = 200n * 10n ** 18n;
const BORROWER = { topic: 1 };
/** Reasons of a node without the state of a block. */
const STATELESS: ReadonlySet<string> = new Set(['rpc_rejected', 'block_gone']);

const events = new EventTable({
  'event TroveLiquidated(address indexed _borrower, uint256 _debt, uint256 _coll, uint8 operation)': {
    action: 'liquidation',
    wallet: '_borrower',
    amount: '_debt',
    token: { of: 'loan' },
  },
});

interface Trove {
  debt: bigint;
  coll: bigint;
}

interface Liquity {
  troveManager: Address;
  operations: Address;
  lusd: Address;
  priceFeed: Address;
  /** Troves before the logs of the last range, by block hash and log index. */
  before: ReadonlyMap<string, Trove>;
  /** Senders of its liquidations, whose logs do not name the liquidator. */
  senders: Senders;
}

const keyOf = ({ blockHash, logIndex }: MinedLog): string => `${blockHash}|${logIndex}`;
const isUpdate = (log: MinedLog): boolean => log.topics[0] === UPDATED.topic0 && fits(log, UPDATED);
const after = (log: MinedLog): Trove => ({
  debt: uintAt(log, UPDATED.positionOf('_debt')),
  coll: uintAt(log, UPDATED.positionOf('_coll')),
});

/**
 * Liquity v1. It logs the state of a trove after a move, so the move is the difference from the state before.
 */
export const liquityV1Activity: ActivityFamily<Liquity> = {
  events,
  noticeTopics: [UPDATED.topic0, FEE_PAID.topic0],
  readSource: async ({ row, multicall }, block) => {
    const troveManager = contractOf(row, 'troveManager');
    const plan = planOf(row, 'trove manager');
    const [operations, lusd, priceFeed] = (
      ['borrowerOperationsAddress', 'lusdToken', 'priceFeed'] as const
    ).map((name) => plan.call(troveManager, abi, name, []));
    return multicall.read(
      plan.build(({ value }) => ({
        troveManager,
        operations: lowerCase(value(operations!)),
        lusd: lowerCase(value(lusd!)),
        priceFeed: lowerCase(value(priceFeed!)),
        before: new Map(),
        senders: new Map(),
      })),
      block,
    );
  },
  addressesOf: ({ troveManager, operations }) => [troveManager, operations],
  learn: async (scope, source, logs) => ({
    ...source,
    before: await readBefore(scope, source, logs),
    senders: await readSenders(
      scope.client,
      logs.filter(({ topics }) => events.topics.includes(topics[0]!)),
    ),
  }),
  tokenOf: ({ lusd }) => lusd,
  compose: (source, logs) => logs.flatMap((log) => movesOf(source, log, logs)),
  settle: ({ senders }, activities) => activities.map((each) => withLiquidator(each, senders)),
  addUsdPrice: (plan, _scope, { lusd, priceFeed }, token) => {
    if (token === lusd) return () => 10n ** 18n;
    const price = plan.call(priceFeed, abi, 'fetchPrice', []);
    return ({ outcome }) => {
      const result = outcome(price);
      return result.ok && result.value > 0n ? result.value : null;
    };
  },
};

function movesOf(source: Liquity, log: MinedLog, logs: readonly MinedLog[]): Activity[] {
  if (!isUpdate(log) || lowerCase(log.address) !== source.operations) return [];
  const operation = uintAt(log, UPDATED.positionOf('operation'));
  const before = operation === OPEN ? { debt: RESERVE, coll: 0n } : source.before.get(keyOf(log));
  if (!before) return [];
  const now = after(log);
  const reserve = operation === CLOSE ? RESERVE : 0n;
  const borrowed = now.debt + reserve - before.debt - feeOf(log, logs);
  const supplied = now.coll - before.coll;
  const of = { log, wallet: addressAt(log, BORROWER), counterparty: null, subId: '' };
  const moves: Activity[] = [];
  if (supplied > 0n) moves.push({ ...of, action: 'supply', token: zeroAddress, amountRaw: supplied });
  if (borrowed > 0n)
    moves.push({ ...of, part: 1, action: 'borrow', token: source.lusd, amountRaw: borrowed });
  if (borrowed < 0n)
    moves.push({ ...of, part: 2, action: 'repay', token: source.lusd, amountRaw: -borrowed });
  if (supplied < 0n)
    moves.push({ ...of, part: 3, action: 'withdraw', token: zeroAddress, amountRaw: -supplied });
  return moves;
}

/** The fee is the part of the debt that was not borrowed. It is logged right after. */
function feeOf({ address, logIndex }: MinedLog, logs: readonly MinedLog[]): bigint {
  const fee = logs.find(
    (log) =>
      log.topics[0] === FEE_PAID.topic0 &&
      log.address === address &&
      Number(log.logIndex) === Number(logIndex) + 1,
  );
  return fee ? uintAt(fee, FEE_PAID.positionOf('_LUSDFee')) : 0n;
}

/**
 * The state of each trove before its logs: after the previous log, or else in the previous block. If the node
 * has no state of that block, the first log of a trove in the range gives no activity.
 */
async function readBefore(
  scope: ActivityScope,
  { troveManager }: Liquity,
  logs: readonly MinedLog[],
): Promise<Map<string, Trove>> {
  const before = new Map<string, Trove>();
  const newest = new Map<Address, Trove>();
  const first = new Map<string, MinedLog[]>();
  for (const log of logs.filter(isUpdate)) {
    const borrower = addressAt(log, BORROWER);
    const known = newest.get(borrower);
    if (known) before.set(keyOf(log), known);
    else first.set(log.blockNumber, [...(first.get(log.blockNumber) ?? []), log]);
    newest.set(borrower, after(log));
  }
  for (const [blockNumber, own] of first) {
    const block = await readHeadAt(scope.client, BigInt(blockNumber) - 1n);
    if (!block) continue;
    const troves = await readTroves(scope, troveManager, own, block);
    troves.forEach((trove, at) => before.set(keyOf(own[at]!), trove));
  }
  return before;
}

async function readTroves(
  { row, multicall }: ActivityScope,
  troveManager: Address,
  logs: readonly MinedLog[],
  block: BlockRef,
): Promise<Trove[]> {
  const plan = planOf(row, 'troves before');
  const slots = logs.map((log) => plan.call(troveManager, abi, 'Troves', [addressAt(log, BORROWER)]));
  try {
    return await multicall.read(
      plan.build(({ value }) =>
        slots.map((slot) => {
          const [debt, coll] = value(slot);
          return { debt, coll };
        }),
      ),
      block,
    );
  } catch (error) {
    if (error instanceof ChainReadError && STATELESS.has(error.code)) return [];
    throw error;
  }
}
