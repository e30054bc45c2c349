import { type MinedLog, contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { zeroAddress, parseAbi, toEventSelector, type Address } from 'viem';
import { addUsdPrice } from '../reader/usd-price';
import type { Activity } from '../activity/activity';
import type { ActivityFamily } from '../activity/activity-family';
import { EventTable } from '../activity/event-table';
import { addressAt, uintAt } from '../activity/log-words';

const abi = parseAbi(['function baseToken() view returns (address)']);
const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
/** A balance that is stored as a principal and read back may lose some of the smallest units. */
const ROUNDING = 16n;

const BASE = { of: 'emitter' } as const;
const events = new EventTable({
  'event Supply(address indexed from, address indexed dst, uint256 amount)': {
    action: 'supply',
    wallet: 'dst',
    counterparty: 'from',
    amount: 'amount',
    token: BASE,
  },
  'event Withdraw(address indexed src, address indexed to, uint256 amount)': {
    action: 'withdraw',
    wallet: 'src',
    counterparty: 'to',
    amount: 'amount',
    token: BASE,
  },
  'event SupplyCollateral(address indexed from, address indexed dst, address indexed asset, uint256 amount)':
    { action: 'supply', wallet: 'dst', counterparty: 'from', amount: 'amount', token: 'asset' },
  'event WithdrawCollateral(address indexed src, address indexed to, address indexed asset, uint256 amount)':
    { action: 'withdraw', wallet: 'src', counterparty: 'to', amount: 'amount', token: 'asset' },
  'event TransferCollateral(address indexed from, address indexed to, address indexed asset, uint256 amount)':
    { action: 'transfer', wallet: 'from', counterparty: 'to', amount: 'amount', token: 'asset' },
  // The collateral that it takes (AbsorbCollateral) is part of the same liquidation.
  'event AbsorbDebt(address indexed absorber, address indexed borrower, uint256 basePaidOut, uint256 usdValue)':
    {
      action: 'liquidation',
      wallet: 'borrower',
      counterparty: 'absorber',
      amount: 'basePaidOut',
      token: BASE,
    },
});

interface CometContract {
  comet: Address;
  base: Address;
}

/** Compound III. */
export const cometActivity: ActivityFamily<CometContract> = {
  events,
  noticeTopics: [TRANSFER],
  readSource: async ({ row, multicall }, block) => {
    const comet = contractOf(row, 'comet');
    const base = lowerCase(
      await readAll({ row, multicall }, 'comet', block, (plan) => plan.call(comet, abi, 'baseToken', [])),
    );
    return { comet, base };
  },
  addressesOf: ({ comet }) => [comet],
  learn: (_scope, source) => Promise.resolve(source),
  tokenOf: ({ base }) => base,
  compose: ({ base }, logs) => baseTransfers(base, logs),
  settle: ({ base }, activities, logs) => activities.flatMap((each) => splitBase(each, base, logs)),
  addUsdPrice: (plan, { usdOracles }, _source, token) => addUsdPrice(plan, usdOracles, token),
};

/**
 * Incoming base pays debt first, and outgoing base without a supply left is borrowed. The Transfer from or to
 * the zero address right after the event shows which part was a supply.
 */
function splitBase(activity: Activity, base: Address, logs: readonly MinedLog[]): Activity[] {
  const { action, token, log, amountRaw } = activity;
  if (token !== base || (action !== 'supply' && action !== 'withdraw')) return [activity];
  const supplied = principalIn(nextTo(log, logs));
  const other = action === 'supply' ? 'repay' : 'borrow';
  if (supplied === null || supplied <= ROUNDING) return [{ ...activity, action: other }];
  const rest = amountRaw - supplied;
  if (rest <= ROUNDING) return [activity];
  const owed: Activity = { ...activity, action: other, amountRaw: rest };
  const own: Activity = { ...activity, amountRaw: supplied };
  // In the order of their execution.
  return action === 'supply' ? [owed, { ...own, part: 1 }] : [own, { ...owed, part: 1 }];
}

/**
 * Base that moves between accounts is logged only as a smaller supply of one and a larger supply of the
 * other. If one of them owes, the larger of the two amounts is known. If both owe, nothing is logged.
 */
function baseTransfers(base: Address, logs: readonly MinedLog[]): Activity[] {
  const transfers: Activity[] = [];
  logs.forEach((log, at) => {
    const [before, next] = [logs[at - 1], logs[at + 1]];
    if (!isTransfer(log) || !next || !isTransfer(next) || !follows(log, next)) return;
    // A withdrawal that is followed by a transfer is one.
    if (before && follows(before, log) && events.read(before, { tokenOf: () => base }).length > 0) return;
    const [wallet, counterparty] = [addressAt(log, { topic: 1 }), addressAt(next, { topic: 2 })];
    const [burnt, minted] = [principalIn(log), principalIn(next)];
    if (addressAt(log, { topic: 2 }) !== zeroAddress || addressAt(next, { topic: 1 }) !== zeroAddress) return;
    if (wallet === counterparty || burnt === null || minted === null) return;
    const amountRaw = burnt > minted ? burnt : minted;
    transfers.push({ log, action: 'transfer', wallet, counterparty, token: base, amountRaw, subId: '' });
  });
  return transfers;
}

function nextTo(log: MinedLog, logs: readonly MinedLog[]): MinedLog | undefined {
  return logs.find((each) => follows(log, each));
}

function follows({ logIndex }: MinedLog, next: MinedLog): boolean {
  return Number(next.logIndex) === Number(logIndex) + 1;
}

function isTransfer({ topics }: MinedLog): boolean {
  return topics[0] === TRANSFER;
}

/** The change of the supply by this log. Null: the log is not such a transfer. */
function principalIn(log: MinedLog | undefined): bigint | null {
  return log && isTransfer(log) ? uintAt(log, { word: 0 }) : null;
}
