import { stringToHex, zeroAddress, type Address } from 'viem';
import { standIns, testWallets } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const [anna, ben, liquidator] = testWallets(3, 0x6100) as [Address, Address, Address];
const local = useLocalChain();
const token = tokensOn(local);

/** A controller of LLAMMA. `payer`: the counterparty of ben's payments, if its events name the caller. */
interface Controller {
  contract: 'LlammaMarket' | 'LlammaSecondMarket';
  payer: Address | null;
}

interface LlammaMarket extends Controller {
  market: Address;
  loan: Address;
  collateral: Address;
}

const FIRST: Controller = { contract: 'LlammaMarket', payer: null };
const SECOND: Controller = { contract: 'LlammaSecondMarket', payer: ben };

async function llammaMarket(controller: Controller): Promise<LlammaMarket> {
  const { PriceFeed, [controller.contract]: artifact } = standIns();
  const [loan, collateral] = [await token('crvUSD', 18), await token('WBTC', 8)];
  const feed = await local().deploy(PriceFeed!, [90_000n * WAD, 18]);
  return {
    ...controller,
    market: await local().deploy(artifact!, [loan, collateral, feed]),
    loan,
    collateral,
  };
}

function llammaSteps({ contract, payer, market, loan, collateral }: LlammaMarket): Step[] {
  const call = callsOf(market, contract);
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
      moves: [{ ...held, action: 'supply', counterparty: payer, amountRaw: 30n }],
    },
    {
      call: call(anna, 'borrow_more', 0n, WAD),
      moves: [{ ...owed, action: 'borrow', amountRaw: WAD }],
    },
    {
      call: call(anna, 'remove_collateral', 5n),
      moves: [{ ...held, action: 'withdraw', amountRaw: 5n }],
    },
    {
      call: call(ben, 'repay', WAD, anna),
      moves: [{ ...owed, action: 'repay', counterparty: payer, amountRaw: WAD }],
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
function managedSteps({ contract, market, loan, collateral }: LlammaMarket): {
  before: Step[];
  after: Step[];
} {
  const call = callsOf(market, contract);
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

describe('llamma-mint', () => {
  it('every action is found once; a liquidation does not count as a repayment too', async () => {
    const market = await llammaMarket(FIRST);
    const contracts = { controller: market.market, amm: market.market };
    const { usd } = await expectMoves(local(), { family: 'llamma-mint', contracts }, llammaSteps(market));
    expect(await usd(market.loan, market.collateral)).toEqual([WAD, 90_000n * WAD]);
  });
});

describe('llamma', () => {
  it('every action is found once, also in a market that is created later', async () => {
    const factory = await local().deploy(standIns()['LlammaFactory']!);
    const market = await llammaMarket(FIRST);
    const made = callsOf(factory, 'LlammaFactory')(ben, 'create', market.market);
    const contracts = { oneWayFactory: factory };
    await expectMoves(local(), { family: 'llamma', contracts }, [
      { call: made, moves: [] },
      ...llammaSteps(market),
    ]);
  });
});

describe('llamma-second', () => {
  it('every action is found once, with payer and permissions, also in a market that is created later', async () => {
    const factory = await local().deploy(standIns()['LlammaFactoryV2']!);
    const create = callsOf(factory, 'LlammaFactoryV2');
    const [known, market] = [await llammaMarket(SECOND), await llammaMarket(SECOND)];
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

describe('liquity-v1', () => {
  it.each([
    ['blocks of their own', false],
    ['one block', true],
  ])(
    'in %s: every action equals the change of the trove, without fee, reserve and redistributions',
    async (_where, isAtOnce) => {
      const artifact = standIns()['LiquityTroves']!;
      const troveManager = await local().deploy(artifact, [2_500n * WAD]);
      const [lusd, operations] = (
        (await local().readMany(
          ['lusdToken', 'borrowerOperationsAddress'].map((name) => ({
            to: troveManager,
            abi: artifact.abi,
            name,
          })),
          await local().head(),
        )) as Address[]
      ).map((address) => address.toLowerCase() as Address) as [Address, Address];
      const manager = callsOf(troveManager, 'LiquityTroves');
      const borrower = callsOf(operations, 'LiquityOperations');
      // A trove from before the first block that is read.
      await local().send([borrower(ben, 'openTrove', 40n * WAD, 30_000n * WAD)]);
      const ether = { wallet: anna, token: zeroAddress };
      const debt = { wallet: anna, token: lusd };
      const steps: Step[] = [
        {
          call: borrower(anna, 'openTrove', 10n * WAD, 8_000n * WAD),
          moves: [
            { ...ether, action: 'supply', amountRaw: 10n * WAD },
            { ...debt, action: 'borrow', amountRaw: 8_000n * WAD },
          ],
        },
        { call: manager(anna, 'redistribute', WAD / 10n), moves: [] },
        {
          call: borrower(anna, 'adjustTrove', -2n * WAD, 1_000n * WAD),
          moves: [
            { ...debt, action: 'borrow', amountRaw: 1_000n * WAD },
            { ...ether, action: 'withdraw', amountRaw: 2n * WAD },
          ],
        },
        {
          call: borrower(ben, 'adjustTrove', 3n * WAD, -5_000n * WAD),
          moves: [
            { wallet: ben, token: zeroAddress, action: 'supply', amountRaw: 3n * WAD },
            { wallet: ben, token: lusd, action: 'repay', amountRaw: 5_000n * WAD },
          ],
        },
        { call: manager(liquidator, 'redeem', anna, 500n * WAD, WAD), moves: [] },
        {
          call: borrower(anna, 'closeTrove'),
          // Borrowed 9,000 and a fee of half a percent, minus the redeemed amount, plus the redistributed
          // amount for 10 ether.
          moves: [
            { ...debt, action: 'repay', amountRaw: 8_546n * WAD },
            { ...ether, action: 'withdraw', amountRaw: 7n * WAD },
          ],
        },
        {
          call: manager(liquidator, 'liquidate', ben),
          moves: [
            {
              wallet: ben,
              token: lusd,
              action: 'liquidation',
              counterparty: liquidator,
              amountRaw: 25_354n * WAD,
            },
          ],
        },
      ];
      const { usd } = await expectMoves(
        local(),
        { family: 'liquity-v1', contracts: { troveManager } },
        steps,
        isAtOnce,
      );
      expect(await usd(zeroAddress, lusd)).toEqual([2_500n * WAD, WAD]);
    },
  );
});

describe('liquity-v2', () => {
  it('every action belongs to the current owner of the trove; redemptions have no wallet', async () => {
    const { LiquityV2Branch, LiquityV2Registry } = standIns();
    const registry = await local().deploy(LiquityV2Registry!);
    const [first, branch] = [
      await local().deploy(LiquityV2Branch!, [(WAD * 11n) / 10n, 2_500n * WAD]),
      await local().deploy(LiquityV2Branch!, [(WAD * 12n) / 10n, 3_000n * WAD]),
    ];
    const [weth, wsteth] = [await token('WETH', 18), await token('wstETH', 18)];
    const add = { to: registry, abi: LiquityV2Registry!.abi, name: 'add' } as const;
    await local().send([
      { ...add, args: [weth, first] },
      { ...add, args: [wsteth, branch] },
    ]);
    const [bold] = (
      (await local().readMany(
        [{ to: registry, abi: LiquityV2Registry!.abi, name: 'boldToken' }],
        await local().head(),
      )) as Address[]
    ).map((address) => address.toLowerCase() as Address);
    const call = callsOf(branch, 'LiquityV2Branch');
    // Two troves from before the first block that is read.
    await local().send([
      call(ben, 'openTrove', 8n, ben, 5n * WAD, 900n * WAD),
      call(ben, 'openTrove', 9n, ben, 6n * WAD, 800n * WAD),
    ]);
    const of = (wallet: Address, id: bigint, isDebt: boolean) => ({
      wallet,
      token: isDebt ? bold! : wsteth,
      subId: `1:${id}`,
    });
    const steps: Step[] = [
      {
        call: call(anna, 'openTrove', 7n, anna, 9n * WAD, 2_000n * WAD),
        moves: [
          { ...of(anna, 7n, false), action: 'supply', amountRaw: 9n * WAD },
          { ...of(anna, 7n, true), action: 'borrow', amountRaw: 2_000n * WAD },
        ],
      },
      {
        call: call(anna, 'adjustTrove', 7n, -WAD, -500n * WAD),
        moves: [
          { ...of(anna, 7n, true), action: 'repay', amountRaw: 500n * WAD },
          { ...of(anna, 7n, false), action: 'withdraw', amountRaw: WAD },
        ],
      },
      { call: call(anna, 'applyPendingDebt', 7n), moves: [] },
      { call: call(liquidator, 'redeem', 7n, 100n, 10n), moves: [] },
      {
        call: call(ben, 'adjustTrove', 8n, 2n * WAD, 0n),
        moves: [{ ...of(ben, 8n, false), action: 'supply', amountRaw: 2n * WAD }],
      },
      {
        call: call(anna, 'give', 7n, ben),
        moves: [{ ...of(anna, 7n, false), action: 'transfer', counterparty: ben, amountRaw: 8n * WAD - 10n }],
      },
      {
        call: call(ben, 'adjustTrove', 7n, 0n, 100n * WAD),
        moves: [{ ...of(ben, 7n, true), action: 'borrow', amountRaw: 100n * WAD }],
      },
      {
        call: call(ben, 'end', 7n, 1),
        moves: [
          { ...of(ben, 7n, true), action: 'repay', amountRaw: 1_600n * WAD + 7n - 100n },
          { ...of(ben, 7n, false), action: 'withdraw', amountRaw: 8n * WAD - 10n },
        ],
      },
      {
        call: call(liquidator, 'end', 9n, 5),
        moves: [
          {
            ...of(ben, 9n, true),
            action: 'liquidation',
            counterparty: liquidator,
            amountRaw: 800n * WAD + 7n,
          },
        ],
      },
    ];
    const contracts = { collateralRegistry: registry, branches: [{ troveManager: first, priceFeed: first }] };
    const { usd } = await expectMoves(local(), { family: 'liquity-v2', contracts }, steps);
    expect(await usd(bold!, weth, wsteth)).toEqual([WAD, 2_500n * WAD, 3_000n * WAD]);
  });
});

describe('maker', () => {
  it('every action belongs to the vault’s owner, or to the owner of its proxy; urns without a vault have none', async () => {
    const { MakerJug, MakerManager, MakerProxy, MakerSpotter, MakerVat } = standIns();
    const vat = await local().deploy(MakerVat!);
    const [jug, spot] = [await local().deploy(MakerJug!, [vat]), await local().deploy(MakerSpotter!, [vat])];
    const manager = await local().deploy(MakerManager!, [vat]);
    const proxy = await local().deploy(MakerProxy!, [anna]);
    const [wbtc, dai] = [await token('WBTC', 8), await token('DAI', 18)];
    const ilk = stringToHex('WBTC-A', { size: 32 });
    const ray = 10n ** 27n;
    const [onVat, onManager] = [callsOf(vat, 'MakerVat'), callsOf(manager, 'MakerManager')];
    await local().send([
      // A rate of 1.1: each unit of normalised debt is a debt of 1.1 DAI.
      onVat(anna, 'file', ilk, (ray * 11n) / 10n, ray, (ray * 3n) / 2n, 90_000n * WAD),
      onManager(anna, 'setGem', ilk, wbtc),
      onManager(anna, 'openVault', ilk, proxy),
    ]);
    const of = (wallet: Address, id: string, asset: Address) => ({ wallet, token: asset, subId: id });
    const [first, second] = ['1', '2'].map((id): Address => `0x${id.padStart(40, '0')}`) as [
      Address,
      Address,
    ];
    const steps: Step[] = [
      {
        call: onManager(anna, 'frob', 1n, 9n * WAD, 1_000n * WAD),
        moves: [
          { ...of(anna, '1', wbtc), action: 'supply', amountRaw: 9n * 10n ** 8n },
          { ...of(anna, '1', dai), action: 'borrow', amountRaw: 1_100n * WAD },
        ],
      },
      { call: onManager(ben, 'openVault', ilk, ben), moves: [] },
      {
        call: onManager(ben, 'frob', 2n, WAD, 0n),
        moves: [{ ...of(ben, '2', wbtc), action: 'supply', amountRaw: 10n ** 8n }],
      },
      {
        call: onManager(anna, 'frob', 1n, -2n * WAD, -500n * WAD),
        moves: [
          { ...of(anna, '1', dai), action: 'repay', amountRaw: 550n * WAD },
          { ...of(anna, '1', wbtc), action: 'withdraw', amountRaw: 2n * 10n ** 8n },
        ],
      },
      {
        call: onVat(anna, 'fork', ilk, first, second, 3n * WAD, 100n * WAD),
        moves: [{ ...of(anna, '1', wbtc), action: 'transfer', counterparty: ben, amountRaw: 3n * 10n ** 8n }],
      },
      // An urn without a vault of the manager: a module of the protocol.
      { call: onVat(ben, 'frob', ilk, liquidator, liquidator, liquidator, WAD, WAD), moves: [] },
      {
        call: onVat(liquidator, 'grab', ilk, second, liquidator, liquidator, -4n * WAD, -100n * WAD),
        moves: [{ ...of(ben, '2', dai), action: 'liquidation', amountRaw: 110n * WAD }],
      },
      { call: onManager(anna, 'give', 1n, ben), moves: [] },
      {
        call: onManager(ben, 'frob', 1n, 0n, WAD),
        moves: [{ ...of(ben, '1', dai), action: 'borrow', amountRaw: (11n * WAD) / 10n }],
      },
    ];
    const contracts = { vat, jug, spot, dai, cdpManager: manager, ilkRegistry: manager };
    const { usd } = await expectMoves(local(), { family: 'maker', contracts }, steps);
    expect(await usd(wbtc, dai)).toEqual([90_000n * WAD, WAD]);
  });

  it('every action of an urn of lockstake belongs to its owner, in the staked token and USDS', async () => {
    const { MakerEngineOfMkr, MakerEngineOfSky, MakerJug, MakerManager, MakerProxy, MakerSpotter, MakerVat } =
      standIns();
    const vat = await local().deploy(MakerVat!);
    const [jug, spot] = [await local().deploy(MakerJug!, [vat]), await local().deploy(MakerSpotter!, [vat])];
    const manager = await local().deploy(MakerManager!, [vat]);
    const proxy = await local().deploy(MakerProxy!, [ben]);
    const [mkr, sky, dai, usds] = [
      await token('MKR', 18),
      await token('SKY', 18),
      await token('DAI', 18),
      await token('USDS', 18),
    ];
    const [ofMkr, ofSky] = [stringToHex('LSE-MKR-A', { size: 32 }), stringToHex('LSEV2-SKY-A', { size: 32 })];
    const lockstakeEngineV1 = await local().deploy(MakerEngineOfMkr!, [vat, manager, ofMkr, usds]);
    const lockstakeEngine = await local().deploy(MakerEngineOfSky!, [vat, manager, ofSky, usds]);
    const ray = 10n ** 27n;
    const [onVat, onManager] = [callsOf(vat, 'MakerVat'), callsOf(manager, 'MakerManager')];
    const [onFirst, onSecond] = [
      callsOf(lockstakeEngineV1, 'MakerEngineOfMkr'),
      callsOf(lockstakeEngine, 'MakerEngineOfSky'),
    ];
    await local().send([
      onVat(anna, 'file', ofMkr, ray, ray, ray * 2n, 1_500n * WAD),
      // A rate of 1.2: each unit of normalised debt is a debt of 1.2 USDS.
      onVat(anna, 'file', ofSky, (ray * 12n) / 10n, ray, (ray * 5n) / 4n, WAD / 16n),
      onManager(anna, 'setJoinless', ofMkr, mkr),
      onManager(anna, 'setJoinless', ofSky, sky),
      onFirst(anna, 'open', [anna], [0n], [0n]),
      onSecond(anna, 'open', [anna, proxy], [0n, 0n], [0n, 0n]),
    ]);
    const urnOf = async (engine: Address, owner: Address): Promise<Address> => {
      const { abi } = standIns()['MakerEngineOfSky']!;
      const call = { to: engine, abi, name: 'ownerUrns', args: [owner, 0n] };
      const [urn] = (await local().readMany([call], await local().head())) as [Address];
      return urn.toLowerCase() as Address;
    };
    const [first, second, proxied] = await Promise.all([
      urnOf(lockstakeEngineV1, anna),
      urnOf(lockstakeEngine, anna),
      urnOf(lockstakeEngine, proxy),
    ]);
    const of = (wallet: Address, subId: Address, asset: Address) => ({ wallet, token: asset, subId });
    const steps: Step[] = [
      {
        call: onSecond(anna, 'frob', second, 90_000n * WAD, 1_000n * WAD),
        moves: [
          { ...of(anna, second, sky), action: 'supply', amountRaw: 90_000n * WAD },
          { ...of(anna, second, usds), action: 'borrow', amountRaw: 1_200n * WAD },
        ],
      },
      {
        call: onFirst(anna, 'frob', first, 3n * WAD, 100n * WAD),
        moves: [
          { ...of(anna, first, mkr), action: 'supply', amountRaw: 3n * WAD },
          { ...of(anna, first, usds), action: 'borrow', amountRaw: 100n * WAD },
        ],
      },
      {
        call: onSecond(ben, 'frob', proxied, 10_000n * WAD, 0n),
        moves: [{ ...of(ben, proxied, sky), action: 'supply', amountRaw: 10_000n * WAD }],
      },
      {
        call: onSecond(anna, 'frob', second, -1_000n * WAD, -500n * WAD),
        moves: [
          { ...of(anna, second, usds), action: 'repay', amountRaw: 600n * WAD },
          { ...of(anna, second, sky), action: 'withdraw', amountRaw: 1_000n * WAD },
        ],
      },
      // An urn of the engine's ilk that the engine does not know: a module of the protocol.
      { call: onVat(ben, 'frob', ofSky, liquidator, liquidator, liquidator, WAD, WAD), moves: [] },
      {
        call: onVat(liquidator, 'grab', ofSky, second, liquidator, liquidator, -10_000n * WAD, -100n * WAD),
        moves: [{ ...of(anna, second, usds), action: 'liquidation', amountRaw: 120n * WAD }],
      },
    ];
    const contracts = {
      vat,
      jug,
      spot,
      dai,
      cdpManager: manager,
      ilkRegistry: manager,
      lockstakeEngine,
      lockstakeEngineV1,
    };
    const { usd } = await expectMoves(local(), { family: 'maker', contracts }, steps);
    expect(await usd(sky, mkr, usds)).toEqual([WAD / 16n, 1_500n * WAD, WAD]);
  });
});
