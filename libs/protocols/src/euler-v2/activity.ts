import { planOf, type MinedLog, type BlockRef, contractOf, lowerCase } from '@plimsoll/evm';
import { toEventSelector, zeroAddress, type Address } from 'viem';
import { eulerAccountOf } from './math';
import { evcAbi, vaultAbi } from './abi';
import { readVaults } from './index-sources';
import { addUsdPrice } from '../reader/usd-price';
import type { Activity } from '../activity/activity';
import type { ActivityFamily, ActivityScope } from '../activity/activity-family';
import { EventTable } from '../activity/event-table';
import { eventLayout, type EventLayout } from '../activity/log-words';

const VAULT_MADE = toEventSelector('ProxyCreated(address,bool,address,bytes)');

const [BORROW, REPAY] = ['Borrow', 'Repay'].map((name) =>
  eventLayout(`event ${name}(address indexed account, uint256 assets)`),
) as [EventLayout, EventLayout];
/** Events of debt that moves between accounts, with the topics of the account that owed it and of the one that owes it. */
const DEBT_MOVED: ReadonlyMap<string, { from: number; to: number }> = new Map([
  [toEventSelector('PullDebt(address,address,uint256)'), { from: 1, to: 2 }],
  [toEventSelector('Liquidate(address,address,address,uint256,uint256)'), { from: 2, to: 1 }],
]);

const VAULT = { of: 'emitter' } as const;
const owed = { wallet: { ownerOf: 'account' }, amount: 'assets', token: VAULT } as const;
const events = new EventTable({
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)': {
    action: 'supply',
    wallet: { ownerOf: 'owner' },
    counterparty: 'sender',
    amount: 'assets',
    token: VAULT,
  },
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)':
    {
      action: 'withdraw',
      wallet: { ownerOf: 'owner' },
      counterparty: 'receiver',
      amount: 'assets',
      token: VAULT,
    },
  'event Borrow(address indexed account, uint256 assets)': { action: 'borrow', ...owed },
  'event Repay(address indexed account, uint256 assets)': { action: 'repay', ...owed },
  'event PullDebt(address indexed from, address indexed to, uint256 assets)': {
    action: 'transfer',
    wallet: { ownerOf: 'from' },
    counterparty: 'to',
    amount: 'assets',
    token: VAULT,
  },
  'event Liquidate(address indexed liquidator, address indexed violator, address collateral, uint256 repayAssets, uint256 yieldBalance)':
    {
      action: 'liquidation',
      wallet: { ownerOf: 'violator' },
      counterparty: 'liquidator',
      amount: 'repayAssets',
      token: VAULT,
    },
});

interface Vaults {
  factory: Address;
  /** The asset of each vault that the factory created. Other contracts can emit the same logs. */
  assetOf: ReadonlyMap<Address, Address>;
  /** Owners of the accounts that the logs of the range name, by the account without its last byte. */
  owners: ReadonlyMap<string, Address>;
}

/** Euler v2: one row is the EVC of a chain, with the factory of its vaults. A sub-id is the last byte of an account. */
export const eulerActivity: ActivityFamily<Vaults> = {
  events,
  noticeTopics: [VAULT_MADE],
  readSource: async (scope, block) => {
    const { row, multicall } = scope;
    const factory = contractOf(row, 'eVaultFactory');
    const vaults = await readVaults(scope, block);
    const plan = planOf(row, 'vaults');
    const slots = vaults.map((vault) => plan.call(vault, vaultAbi, 'asset', []));
    const assets = await multicall.read(
      plan.build(({ outcome }) => slots.map(outcome)),
      block,
    );
    const known = vaults.flatMap((vault, at) => {
      const asset = assets[at]!;
      return asset.ok ? [[vault, lowerCase(asset.value)] as const] : [];
    });
    return { factory, assetOf: new Map(known), owners: new Map() };
  },
  addressesOf: ({ factory, assetOf }) => [factory, ...assetOf.keys()],
  learn: async (scope, source, logs, block) => {
    const isMade = logs.some(({ topics }) => topics[0] === VAULT_MADE);
    const known = isMade ? await eulerActivity.readSource(scope, block) : source;
    return { ...known, owners: await readOwners(scope, accountsIn(logs), block) };
  },
  tokenOf: ({ assetOf }, _of, log) => assetOf.get(lowerCase(log.address)) ?? null,
  ownerOf: ({ owners }, key) => {
    const account = lowerCase(`0x${key.slice(-40)}`);
    return { wallet: owners.get(prefixOf(account)) ?? account, subId: account.slice(-2) };
  },
  settle: ({ owners }, activities, logs) => {
    const moves = movesOfDebt(logs);
    // A vault that divides bad debt among its lenders logs a withdrawal of the zero address.
    const own = activities.filter(({ log, wallet }) => !moves.has(log) && wallet !== zeroAddress);
    return own.flatMap((each) => betweenOwners(each, owners) ?? []);
  },
  addUsdPrice: (plan, { usdOracles }, _source, token) => addUsdPrice(plan, usdOracles, token),
};

const prefixOf = (account: Address): string => eulerAccountOf(account, '00');

function accountsIn(logs: readonly MinedLog[]): ReadonlySet<Address> {
  const accounts = new Set<Address>();
  const ownerOf = (key: string): null => {
    accounts.add(lowerCase(`0x${key.slice(-40)}`));
    return null;
  };
  for (const log of logs) events.read(log, { tokenOf: () => null, ownerOf });
  return accounts;
}

/** An account that never called the connector is its own owner. */
async function readOwners(
  { row, multicall }: ActivityScope,
  accounts: ReadonlySet<Address>,
  block: BlockRef,
): Promise<ReadonlyMap<string, Address>> {
  const evc = contractOf(row, 'evc');
  const plan = planOf(row, 'account owners');
  const slots = [...accounts].map((account) => ({
    account,
    owner: plan.call(evc, evcAbi, 'getAccountOwner', [account]),
  }));
  if (slots.length === 0) return new Map();
  const owners = await multicall.read(
    plan.build(({ value }) =>
      slots.map(({ account, owner }): [string, Address] => [prefixOf(account), lowerCase(value(owner))]),
    ),
    block,
  );
  return new Map(owners.filter(([, owner]) => owner !== zeroAddress));
}

/**
 * The logs of repayments and loans that only state a move of debt. A vault logs one as repaid and then borrowed, with logs of
 * interest and of the debt token between them, and bad debt of a liquidation as repaid after that. Source: BorrowUtils.sol,
 * transferBorrow, and Liquidation.sol, executeLiquidation, of euler-vault-kit.
 */
function movesOfDebt(logs: readonly MinedLog[]): ReadonlySet<MinedLog> {
  const moves = new Set<MinedLog>();
  for (const [at, { address, topics }] of logs.entries()) {
    const place = DEBT_MOVED.get(topics[0]!);
    if (!place) continue;
    const isOf = (log: MinedLog, { topic0 }: EventLayout, topic: number): boolean =>
      log.address === address && log.topics[0] === topic0 && log.topics[1] === topics[topic];
    const before = logs.slice(0, at);
    const borrowed = before.findLastIndex((log) => isOf(log, BORROW, place.to));
    const repaid = before.slice(0, borrowed).findLastIndex((log) => isOf(log, REPAY, place.from));
    if (repaid < 0) continue;
    moves.add(logs[borrowed]!);
    for (const log of before.slice(repaid)) if (isOf(log, REPAY, place.from)) moves.add(log);
  }
  return moves;
}

/** The log may name the counterparty by one of its accounts, or the account may have the same owner. */
function betweenOwners(activity: Activity, owners: Vaults['owners']): Activity | null {
  const { counterparty: account, wallet, action } = activity;
  if (account === null) return activity;
  const isOwn = prefixOf(account) === prefixOf(wallet);
  if (isOwn && action === 'transfer') return null;
  return { ...activity, counterparty: isOwn ? null : (owners.get(prefixOf(account)) ?? account) };
}
