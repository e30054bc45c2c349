import { planOf, type BlockRef, contractOf, lowerCase } from '@plimsoll/evm';
import { toEventSelector, type Address } from 'viem';
import { WAD } from '../fixed-point/math';
import { FIRST_FACTORY, SECOND_FACTORY, readLendMarkets, type LendFactory } from './lend-factory';
import { llammaAbi } from './loan';
import { addUsdPrice } from '../reader/usd-price';
import type { Activity } from '../activity/activity';
import type { ActivityFamily, ActivityScope } from '../activity/activity-family';
import { EventTable } from '../activity/event-table';

/** The event of both factories. */
const MARKET_MADE = toEventSelector(
  'NewVault(uint256,address,address,address,address,address,address,address)',
);

const [LOAN, COLLATERAL, CONTROLLER] = [{ of: 'loan' }, { of: 'collateral' }, { of: 'emitter' }] as const;
const collateral = { wallet: 'user', token: COLLATERAL, subId: CONTROLLER } as const;
const loan = { wallet: 'user', token: LOAN, subId: CONTROLLER } as const;
/**
 * Controllers since LlamaLend's second factory name the caller, who pays. Returned tokens belong to the
 * borrower.
 */
const payer = { counterparty: 'caller' } as const;
const events = new EventTable({
  'event Borrow(address indexed user, uint256 collateral_increase, uint256 loan_increase)': [
    { action: 'supply', amount: 'collateral_increase', ...collateral },
    { action: 'borrow', amount: 'loan_increase', ...loan },
  ],
  'event Borrow(address indexed caller, address indexed user, uint256 collateral_increase, uint256 loan_increase)':
    [
      { action: 'supply', amount: 'collateral_increase', ...collateral, ...payer },
      { action: 'borrow', amount: 'loan_increase', ...loan },
    ],
  'event Repay(address indexed user, uint256 collateral_decrease, uint256 loan_decrease)': [
    { action: 'repay', amount: 'loan_decrease', ...loan },
    { action: 'withdraw', amount: 'collateral_decrease', ...collateral },
  ],
  'event Repay(address indexed caller, address indexed user, uint256 collateral_decrease, uint256 loan_decrease)':
    [
      { action: 'repay', amount: 'loan_decrease', ...loan, ...payer },
      { action: 'withdraw', amount: 'collateral_decrease', ...collateral },
    ],
  'event RemoveCollateral(address indexed user, uint256 collateral_decrease)': {
    action: 'withdraw',
    amount: 'collateral_decrease',
    ...collateral,
  },
  'event RemoveCollateral(address indexed caller, address indexed user, uint256 collateral_decrease)': {
    action: 'withdraw',
    amount: 'collateral_decrease',
    ...collateral,
  },
  'event Liquidate(address indexed liquidator, address indexed user, uint256 collateral_received, uint256 stablecoin_received, uint256 debt)':
    { action: 'liquidation', counterparty: 'liquidator', amount: 'debt', ...loan },
  'event Approval(address indexed owner, address indexed spender, bool allow)': {
    permission: { wallet: 'owner', delegate: 'spender', isGranted: 'allow' },
  },
});

interface Market {
  amm: Address;
  loan: Address;
  collateral: Address;
}

interface Controllers {
  /** Null: one market, and no list of them. */
  factory: Address | null;
  /** The key is the controller. */
  markets: ReadonlyMap<Address, Market>;
}

function llammaLike(
  readSource: (scope: ActivityScope, block: BlockRef) => Promise<Controllers>,
  /** Whether the lent token counts as one dollar, as it does in the protocol. */
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
      const price = secured && plan.call(secured.amm, llammaAbi, 'price_oracle', []);
      return (results) => {
        const result = price ? results.outcome(price) : null;
        return result?.ok && result.value > 0n ? result.value : direct(results);
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

/** The tokens of a mint market, read from its AMM. */
async function readCoins(
  { row, multicall }: ActivityScope,
  amm: Address,
  block: BlockRef,
): Promise<Pick<Market, 'loan' | 'collateral'>> {
  const plan = planOf(row, 'coins');
  const [borrowed, secured] = [0n, 1n].map((index) => plan.call(amm, llammaAbi, 'coins', [index]));
  return multicall.read(
    plan.build(({ value }) => ({
      loan: lowerCase(value(borrowed!)),
      collateral: lowerCase(value(secured!)),
    })),
    block,
  );
}

/** Mint markets of crvUSD: one row is one controller. */
export const llammaMintActivity = llammaLike(async (scope, block) => {
  const amm = contractOf(scope.row, 'amm');
  const market = { amm, ...(await readCoins(scope, amm, block)) };
  return { factory: null, markets: new Map([[contractOf(scope.row, 'controller'), market]]) };
}, true);

/** LlamaLend: one row is a factory of one-way markets. */
const lendLike = (lendFactory: LendFactory): ActivityFamily<Controllers> =>
  llammaLike(async (scope, block) => {
    const markets = await readLendMarkets(scope, lendFactory, block);
    return {
      factory: contractOf(scope.row, lendFactory.contract),
      markets: new Map(
        markets.map(({ controller, amm, borrowed, collateral: secured }) => [
          controller,
          { amm, loan: borrowed, collateral: secured },
        ]),
      ),
    };
  }, false);

export const llammaActivity = lendLike(FIRST_FACTORY);
export const llammaSecondActivity = lendLike(SECOND_FACTORY);
