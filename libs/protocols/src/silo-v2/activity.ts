import { planOf, contractOf, lowerCase } from '@plimsoll/evm';
import { toEventSelector, type Address } from 'viem';
import { siloAbi as abi, readSiloIds, readSiloPairs } from './layout';
import { addUsdPrice } from '../reader/usd-price';
import type { Activity } from '../activity/activity';
import type { ActivityFamily } from '../activity/activity-family';
import { EventTable } from '../activity/event-table';

const SILO_MADE = toEventSelector('NewSilo(address,address,address,address,address,address)');

const SILO = { of: 'emitter' } as const;
const received = {
  action: 'supply',
  wallet: 'owner',
  counterparty: 'sender',
  amount: 'assets',
  token: SILO,
} as const;
const given = {
  action: 'withdraw',
  wallet: 'owner',
  counterparty: 'receiver',
  amount: 'assets',
  token: SILO,
} as const;
const events = new EventTable({
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)': received,
  'event DepositProtected(address indexed sender, address indexed owner, uint256 assets, uint256 shares)':
    received,
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)':
    given,
  'event WithdrawProtected(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)':
    given,
  'event Borrow(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)':
    { ...given, action: 'borrow' },
  'event Repay(address indexed sender, address indexed owner, uint256 assets, uint256 shares)': {
    ...received,
    action: 'repay',
  },
  'event LiquidationCall(address indexed liquidator, address indexed silo, address indexed borrower, uint256 repayDebtAssets, uint256 withdrawCollateral, bool receiveSToken)':
    {
      action: 'liquidation',
      wallet: 'borrower',
      counterparty: 'liquidator',
      amount: 'repayDebtAssets',
      token: { listed: 'silo' },
    },
});

interface Silos {
  factory: Address;
  /** The token and the market number of each silo. */
  silos: ReadonlyMap<Address, { token: Address; id: string }>;
  /** Contracts that liquidate in the silos' name. */
  hooks: ReadonlySet<Address>;
}

/** Silo v2: one row is a factory. */
export const siloActivity: ActivityFamily<Silos> = {
  events,
  noticeTopics: [SILO_MADE],
  readSource: async (scope, block) => {
    const { row, multicall } = scope;
    const factory = contractOf(row, 'factory');
    const ids = await readSiloIds(scope, block);
    const { pairs } = await readSiloPairs(scope, block, ids);
    const plan = planOf(row, 'hooks');
    const slots = [...pairs.values()].map(({ config, sides: [{ silo }] }) =>
      plan.call(config, abi, 'getConfig', [silo]),
    );
    const hooks = await multicall.read(
      plan.build(({ value }) => slots.map((slot) => lowerCase(value(slot).hookReceiver))),
      block,
    );
    const silos = [...pairs].flatMap(([id, { sides }]) =>
      sides.map(({ silo, token }) => [silo, { token, id }] as const),
    );
    return { factory, silos: new Map(silos), hooks: new Set(hooks) };
  },
  addressesOf: ({ factory, silos, hooks }) => [factory, ...silos.keys(), ...hooks],
  learn: (scope, source, logs, block) => {
    const isMade = logs.some(({ topics }) => topics[0] === SILO_MADE);
    return isMade ? siloActivity.readSource(scope, block) : Promise.resolve(source);
  },
  tokenOf: ({ silos }, of, log, key) => {
    const silo = of === 'listed' ? `0x${key.slice(-40)}` : log.address;
    return silos.get(lowerCase(silo as Address))?.token ?? null;
  },
  settle: ({ silos, hooks }, activities) =>
    withoutTransitions(activities)
      .filter((each) => !isOfHook(each, hooks))
      .map((each) => inMarket(each, silos)),
  addUsdPrice: (plan, { usdOracles }, _source, token) => addUsdPrice(plan, usdOracles, token),
};

/**
 * A deposit that is lent becomes a protected one, or the reverse: a silo logs a withdrawal and then, without a transfer
 * of tokens between them, a deposit. No wallet supplies or withdraws anything.
 */
function withoutTransitions(activities: readonly Activity[]): Activity[] {
  const isTransition = (from: Activity | undefined, to: Activity | undefined): boolean =>
    from?.action === 'withdraw' &&
    to?.action === 'supply' &&
    from.log.address === to.log.address &&
    Number(from.log.logIndex) + 1 === Number(to.log.logIndex);
  return activities.filter(
    (each, at) => !isTransition(each, activities[at + 1]) && !isTransition(activities[at - 1], each),
  );
}

/**
 * A hook repays and takes the collateral in its own name. That is part of the liquidation, which it logs
 * itself.
 */
function isOfHook({ wallet, counterparty, action }: Activity, hooks: ReadonlySet<Address>): boolean {
  if (action === 'liquidation') return false;
  return hooks.has(wallet) || (counterparty !== null && hooks.has(counterparty));
}

/**
 * The sub-id is the number of the market. The silo of a liquidation follows from its token, and otherwise
 * from the log.
 */
function inMarket(activity: Activity, silos: Silos['silos']): Activity {
  const { log, action } = activity;
  const silo = action === 'liquidation' ? `0x${log.topics[2]!.slice(-40)}` : log.address;
  return { ...activity, subId: silos.get(lowerCase(silo as Address))?.id ?? '' };
}
