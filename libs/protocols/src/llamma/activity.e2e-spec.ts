import type { Address } from 'viem';
import { standIns } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator, callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const local = useLocalChain();
const token = tokensOn(local);

interface LlammaMarket {
  market: Address;
  loan: Address;
  collateral: Address;
}

async function llammaMarket(): Promise<LlammaMarket> {
  const { PriceFeed, LlammaSecondMarket } = standIns();
  const [loan, collateral] = [await token('crvUSD', 18), await token('WBTC', 8)];
  const feed = await local().deploy(PriceFeed!, [90_000n * WAD, 18]);
  return { market: await local().deploy(LlammaSecondMarket!, [loan, collateral, feed]), loan, collateral };
}

function llammaSteps({ market, loan, collateral }: LlammaMarket): Step[] {
  const call = callsOf(market, 'LlammaSecondMarket');
  const [held, owed] = [
    { wallet: anna, token: collateral, subId: market },
    { wallet: anna, token: loan, subId: market },
  ];
  return [
    {
      call: call(anna, 'borrow_more', 700n, 9n * WAD),
      moves: [
        { ...held, action: 'supply', amountRaw: 700n },
        { ...owed, action: 'borrow', amountRaw: 9n * WAD },
      ],
    },
    {
      call: call(ben, 'add_collateral', 30n, anna),
      moves: [{ ...held, action: 'supply', counterparty: ben, amountRaw: 30n }],
    },
    { call: call(anna, 'borrow_more', 0n, WAD), moves: [{ ...owed, action: 'borrow', amountRaw: WAD }] },
    { call: call(anna, 'remove_collateral', 5n), moves: [{ ...held, action: 'withdraw', amountRaw: 5n }] },
    {
      call: call(ben, 'repay', WAD, anna),
      moves: [{ ...owed, action: 'repay', counterparty: ben, amountRaw: WAD }],
    },
    {
      call: call(anna, 'repay', 100n * WAD, anna),
      moves: [
        { ...owed, action: 'repay', amountRaw: 9n * WAD },
        { ...held, action: 'withdraw', amountRaw: 725n },
      ],
    },
    {
      call: call(anna, 'borrow_more', 50n, 2n * WAD),
      moves: [
        { ...held, action: 'supply', amountRaw: 50n },
        { ...owed, action: 'borrow', amountRaw: 2n * WAD },
      ],
    },
    {
      call: call(liquidator, 'liquidate', anna, 0n),
      moves: [{ ...owed, action: 'liquidation', counterparty: liquidator, amountRaw: 2n * WAD }],
    },
  ];
}

/**
 * Actions that exist only in markets of the second factory: an authorised manager acts for a borrower and
 * receives nothing.
 */
function managedSteps({ market, loan, collateral }: LlammaMarket): {
  before: Step[];
  after: Step[];
} {
  const call = callsOf(market, 'LlammaSecondMarket');
  const [held, owed] = [
    { wallet: anna, token: collateral, subId: market },
    { wallet: anna, token: loan, subId: market },
  ];
  return {
    before: [{ call: call(anna, 'approve', ben, true), moves: [] }],
    after: [
      {
        call: call(ben, 'borrow_more', 60n, 3n * WAD, anna),
        moves: [
          { ...held, action: 'supply', counterparty: ben, amountRaw: 60n },
          { ...owed, action: 'borrow', amountRaw: 3n * WAD },
        ],
      },
      {
        call: call(ben, 'remove_collateral', 7n, anna),
        moves: [{ ...held, action: 'withdraw', amountRaw: 7n }],
      },
      {
        call: call(ben, 'repay', 100n * WAD, anna),
        moves: [
          { ...owed, action: 'repay', counterparty: ben, amountRaw: 3n * WAD },
          { ...held, action: 'withdraw', amountRaw: 53n },
        ],
      },
      { call: call(anna, 'approve', ben, false), moves: [] },
    ],
  };
}

describe('llamma-second', () => {
  it('every action is found once, with payer and permissions, also in a market that is created later', async () => {
    const factory = await local().deploy(standIns()['LlammaFactoryV2']!);
    const create = callsOf(factory, 'LlammaFactoryV2');
    const [known, market] = [await llammaMarket(), await llammaMarket()];
    await local().send([create(ben, 'create', known.market)]);
    const usdOracle = await local().deploy(standIns()['UsdOracle']!);
    await local().send([callsOf(usdOracle, 'UsdOracle')(ben, 'setPrice', market.loan, 10n ** 8n)]);
    const { before, after } = managedSteps(market);
    const inKnown = managedSteps(known);
    const played = {
      family: 'llamma-second',
      contracts: { oneWayFactoryV2: factory },
      usdOracles: [usdOracle],
    };
    const { read, usd } = await expectMoves(local(), played, [
      ...inKnown.before,
      ...llammaSteps(known),
      { call: create(ben, 'create', market.market), moves: [] },
      ...before,
      ...llammaSteps(market),
      ...after,
    ]);
    const permission = { wallet: anna, delegate: ben };
    expect(read.permissions).toMatchObject([
      { ...permission, isGranted: true },
      { ...permission, isGranted: true },
      { ...permission, isGranted: false },
    ]);
    expect(await usd(market.loan, market.collateral)).toEqual([WAD, null]);
  });
});
