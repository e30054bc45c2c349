import { WAD } from '@plimsoll/protocol-math';
import { parseAbi, toEventSelector, type Address } from 'viem';
import type { BlockRef } from '../multicall/pinned-call';
import { PlanBuilder } from '../multicall/plan-builder';
import { readCall } from '../multicall/read-call';
import { llammaAbi } from '../readers/llamma/loan';
import { contractOf, lowerCase, subjectOf } from '../readers/row-text';
import { addUsdPrice } from '../readers/usd-price';
import type { Activity } from './activity';
import type { ActivityFamily, ActivityScope } from './activity-family';
import { EventTable } from './event-table';

const abi = parseAbi([
  'function market_count() view returns (uint256)',
  'function vaults(uint256 index) view returns (address)',
  'function controller() view returns (address)',
  'function amm() view returns (address)',
]);
const MARKET_MADE = toEventSelector(
  'NewVault(uint256,address,address,address,address,address,address,address)',
);

const [LOAN, COLLATERAL, CONTROLLER] = [{ of: 'loan' }, { of: 'collateral' }, { of: 'emitter' }] as const;
const collateral = { wallet: 'user', token: COLLATERAL, subId: CONTROLLER } as const;
const loan = { wallet: 'user', token: LOAN, subId: CONTROLLER } as const;
const events = new EventTable({
  'event Borrow(address indexed user, uint256 collateral_increase, uint256 loan_increase)': [
    { action: 'supply', amount: 'collateral_increase', ...collateral },
    { action: 'borrow', amount: 'loan_increase', ...loan },
  ],
  'event Repay(address indexed user, uint256 collateral_decrease, uint256 loan_decrease)': [
    { action: 'repay', amount: 'loan_decrease', ...loan },
    { action: 'withdraw', amount: 'collateral_decrease', ...collateral },
  ],
  'event RemoveCollateral(address indexed user, uint256 collateral_decrease)': {
    action: 'withdraw',
    amount: 'collateral_decrease',
    ...collateral,
  },
  'event Liquidate(address indexed liquidator, address indexed user, uint256 collateral_received, uint256 stablecoin_received, uint256 debt)':
    { action: 'liquidation', counterparty: 'liquidator', amount: 'debt', ...loan },
});

interface Market {
  amm: Address;
  loan: Address;
  collateral: Address;
}

interface Controllers {
  /** Null: one market, and no list of them. */
  factory: Address | null;
  /** By controller. */
  markets: ReadonlyMap<Address, Market>;
}

function llammaLike(
  readSource: (scope: ActivityScope, block: BlockRef) => Promise<Controllers>,
  /** Whether what is lent counts as one dollar, as it does in the protocol. */
  isDollar: boolean,
): ActivityFamily<Controllers> {
  return {
    events,
    noticeTopics: [MARKET_MADE],
    readSource,
    addressesOf: ({ factory, markets }) => [...(factory ? [factory] : []), ...markets.keys()],
    learn: (scope, source, logs, block) => {
      const isMade = logs.some(({ topics }) => topics[0] === MARKET_MADE);
      return isMade ? readSource(scope, block) : Promise.resolve(source);
    },
    tokenOf: ({ markets }, of, log) => {
      const market = markets.get(lowerCase(log.address));
      return (of === 'loan' ? market?.loan : market?.collateral) ?? null;
    },
    settle: (_source, activities) => activities.filter((each) => !isOfLiquidation(each, activities)),
    addUsdPrice: (plan, { usdOracles }, { markets }, token) => {
      const own = [...markets.values()];
      const direct = addUsdPrice(plan, usdOracles, token);
      if (isDollar && own.some((market) => market.loan === token)) return () => WAD;
      const secured = isDollar ? own.find((market) => market.collateral === token) : undefined;
      const price = secured && plan.add(readCall(secured.amm, llammaAbi, 'price_oracle', []));
      return (answers) => {
        const answer = price ? answers.outcome(price) : null;
        return answer?.ok && answer.value > 0n ? answer.value : direct(answers);
      };
    },
  };
}

/** A liquidation logs right before it the repayment and the collateral that is part of it. */
function isOfLiquidation({ log }: Activity, activities: readonly Activity[]): boolean {
  return activities.some(
    (each) =>
      each.action === 'liquidation' &&
      each.log.address === log.address &&
      Number(each.log.logIndex) === Number(log.logIndex) + 1 &&
      activities.some((paid) => paid.log === log && paid.wallet === each.wallet && paid.action === 'repay'),
  );
}

async function readMarkets(
  { row, multicall }: ActivityScope,
  pairs: readonly { controller: Address; amm: Address }[],
  block: BlockRef,
): Promise<ReadonlyMap<Address, Market>> {
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'coins'));
  const slots = pairs.map(({ controller, amm }) => ({
    controller,
    amm,
    coins: [0n, 1n].map((index) => plan.add(readCall(amm, llammaAbi, 'coins', [index]))),
  }));
  const markets = await multicall.read(
    plan.build(({ value }) =>
      slots.map(({ controller, amm, coins }): [Address, Market] => {
        const [borrowed, secured] = coins.map((slot) => lowerCase(value(slot)));
        return [controller, { amm, loan: borrowed!, collateral: secured! }];
      }),
    ),
    block,
  );
  return new Map(markets);
}

/** Mint markets of crvUSD: one row is one controller. */
export const llammaMintActivity = llammaLike(async (scope, block) => {
  const pair = { controller: contractOf(scope.row, 'controller'), amm: contractOf(scope.row, 'amm') };
  return { factory: null, markets: await readMarkets(scope, [pair], block) };
}, true);

/** LlamaLend: one row is a factory of one-way markets. */
export const llammaActivity = llammaLike(async (scope, block) => {
  const { row, multicall } = scope;
  const factory = contractOf(row, 'oneWayFactory');
  const entry = new PlanBuilder(row.chainId, subjectOf(row, 'factory'));
  const countSlot = entry.add(readCall(factory, abi, 'market_count', []));
  const count = await multicall.read(
    entry.build(({ value }) => Number(value(countSlot))),
    block,
  );
  const list = new PlanBuilder(row.chainId, subjectOf(row, 'vaults'));
  const vaultSlots = Array.from({ length: count }, (_, index) =>
    list.add(readCall(factory, abi, 'vaults', [BigInt(index)])),
  );
  const vaults = await multicall.read(
    list.build(({ value }) => vaultSlots.map(value)),
    block,
  );
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'markets'));
  const slots = vaults.map((vault) => ({
    controller: plan.add(readCall(vault, abi, 'controller', [])),
    amm: plan.add(readCall(vault, abi, 'amm', [])),
  }));
  const pairs = await multicall.read(
    plan.build(({ value }) =>
      slots.map(({ controller, amm }) => ({
        controller: lowerCase(value(controller)),
        amm: lowerCase(value(amm)),
      })),
    ),
    block,
  );
  return { factory, markets: await readMarkets(scope, pairs, block) };
}, false);
