import type { Address } from 'viem';
import { standIns, testWallets, type Call } from '../../test/local-chain';
import { expectMoves, playMoves, type Step } from '../../test/play-moves';
import { callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const [anna, ben, liquidator] = testWallets(3, 0x6000) as [Address, Address, Address];
const local = useLocalChain();
const token = tokensOn(local);

/** An oracle of the chain that prices the tokens in dollars, with 8 decimals. */
async function usdOracleOf(prices: readonly (readonly [Address, bigint])[]): Promise<Address> {
  const artifact = standIns()['UsdOracle']!;
  const oracle = await local().deploy(artifact);
  await local().send(prices.map((args) => ({ to: oracle, abi: artifact.abi, name: 'setPrice', args })));
  return oracle;
}

describe('aave-v4', () => {
  it('every action is found once, also in a reserve that is listed later', async () => {
    const spoke = await local().deploy(standIns()['AaveV4Spoke']!);
    const call = callsOf(spoke, 'AaveV4Spoke');
    const [weth, usdc] = [await token('WETH', 18), await token('USDC', 6)];
    await local().send([call(anna, 'addReserve', weth, 18, 2_500n * 10n ** 8n, 8_000, 8_000)]);
    const steps: Step[] = [
      { call: call(anna, 'addReserve', usdc, 6, 10n ** 8n, 8_000, 8_000), moves: [] },
      {
        call: call(anna, 'supply', 0n, 5n * WAD, anna),
        moves: [{ action: 'supply', wallet: anna, token: weth, amountRaw: 5n * WAD }],
      },
      {
        call: call(ben, 'supply', 0n, WAD, anna),
        moves: [{ action: 'supply', wallet: anna, counterparty: ben, token: weth, amountRaw: WAD }],
      },
      {
        call: call(anna, 'borrow', 1n, 4_000n, anna),
        moves: [{ action: 'borrow', wallet: anna, token: usdc, amountRaw: 4_000n }],
      },
      {
        call: call(ben, 'repay', 1n, 1_000n, anna),
        moves: [{ action: 'repay', wallet: anna, counterparty: ben, token: usdc, amountRaw: 1_000n }],
      },
      {
        call: call(anna, 'withdraw', 0n, WAD, anna),
        moves: [{ action: 'withdraw', wallet: anna, token: weth, amountRaw: WAD }],
      },
      {
        call: call(liquidator, 'liquidationCall', 0n, 1n, anna, 500n, false),
        moves: [
          { action: 'liquidation', wallet: anna, counterparty: liquidator, token: usdc, amountRaw: 500n },
        ],
      },
      { call: call(anna, 'setUserPositionManager', ben, true), moves: [] },
      { call: call(anna, 'setUserPositionManager', ben, false), moves: [] },
    ];
    const { read, usd } = await expectMoves(local(), { family: 'aave-v4', contracts: { spoke } }, steps);
    expect(read.permissions).toMatchObject([
      { wallet: anna, delegate: ben, isGranted: true },
      { wallet: anna, delegate: ben, isGranted: false },
    ]);
    expect(await usd(weth, usdc)).toEqual([2_500n * WAD, WAD]);
  });
});

describe('comet', () => {
  const USDC = 10n ** 6n;

  it('every action is found once; paying debt is a repayment, and taking more than the supply is a loan', async () => {
    const { Comet, PriceFeed } = standIns();
    const [weth, usdc] = [await token('WETH', 18), await token('USDC', 6)];
    const feed = await local().deploy(PriceFeed!, [2_500n * 10n ** 8n, 8]);
    const comet = await local().deploy(Comet!, [usdc, feed, USDC]);
    const usdOracle = await usdOracleOf([[usdc, 100_100_000n]]);
    const call = callsOf(comet, 'Comet');
    await local().send([call(anna, 'addAsset', weth, feed, WAD, (WAD * 8n) / 10n)]);
    const collateral = (action: 'supply' | 'withdraw', amountRaw: bigint) =>
      ({ action, wallet: anna, token: weth, amountRaw }) as const;
    const base = { wallet: anna, token: usdc } as const;
    const steps: Step[] = [
      { call: call(anna, 'supplyTo', anna, weth, 9n * WAD), moves: [collateral('supply', 9n * WAD)] },
      { call: call(anna, 'withdrawTo', anna, weth, WAD), moves: [collateral('withdraw', WAD)] },
      {
        call: call(ben, 'supplyTo', ben, usdc, 7_000n * USDC),
        moves: [{ action: 'supply', wallet: ben, token: usdc, amountRaw: 7_000n * USDC }],
      },
      {
        call: call(anna, 'withdrawTo', ben, usdc, 3_000n * USDC),
        moves: [{ ...base, action: 'borrow', counterparty: ben, amountRaw: 3_000n * USDC }],
      },
      {
        call: call(ben, 'supplyTo', anna, usdc, 1_000n * USDC),
        moves: [{ ...base, action: 'repay', counterparty: ben, amountRaw: 1_000n * USDC }],
      },
      {
        call: call(ben, 'transferAsset', anna, weth, 0n),
        moves: [],
      },
      {
        call: call(anna, 'transferAsset', ben, weth, 2n * WAD),
        moves: [{ action: 'transfer', wallet: anna, counterparty: ben, token: weth, amountRaw: 2n * WAD }],
      },
    ];
    const market = { family: 'comet', contracts: { comet }, usdOracles: [usdOracle] };
    const { usd } = await expectMoves(local(), market, steps);
    expect(await usd(usdc, weth)).toEqual([1_001n * 10n ** 15n, null]);
  });

  it('one payment that clears a debt and supplies the rest counts as both, and so does a withdrawal beyond a supply', async () => {
    const { Comet, PriceFeed } = standIns();
    const usdc = await token('USDC', 6);
    const feed = await local().deploy(PriceFeed!, [10n ** 8n, 8]);
    const comet = await local().deploy(Comet!, [usdc, feed, USDC]);
    const call = callsOf(comet, 'Comet');
    await local().send([
      call(ben, 'supplyTo', ben, usdc, 10n ** 12n),
      call(anna, 'withdrawTo', anna, usdc, 2_000n * USDC),
    ]);
    const { read } = await playMoves(local(), { family: 'comet', contracts: { comet } }, [
      call(anna, 'supplyTo', anna, usdc, 5_000n * USDC),
      call(anna, 'withdrawTo', anna, usdc, 4_000n * USDC),
      call(ben, 'transferAsset', liquidator, usdc, 700n * USDC),
    ]);
    const moves = read.activities;
    expect(moves.map(({ action, wallet }) => [action, wallet])).toEqual([
      ['repay', anna],
      ['supply', anna],
      ['withdraw', anna],
      ['borrow', anna],
      ['transfer', ben],
    ]);
    const [repaid, supplied, withdrawn, borrowed, transferred] = moves.map(({ amountRaw }) => amountRaw);
    expect(repaid! + supplied!).toBe(5_000n * USDC);
    expect(withdrawn! + borrowed!).toBe(4_000n * USDC);
    // Interest of some seconds, and the rounding of a principal.
    for (const [amount, about] of [
      [repaid, 2_000n],
      [withdrawn, 3_000n],
      [transferred, 700n],
    ] as const)
      expect(Number(amount! - about * USDC)).toBeLessThan(1_000);
    expect(new Set(moves.map(({ part }) => part))).toEqual(new Set([undefined, 1]));
  });

  it('an absorption is one liquidation, whatever amount remains', async () => {
    const { Comet, PriceFeed } = standIns();
    const [weth, usdc] = [await token('WETH', 18), await token('USDC', 6)];
    const feed = await local().deploy(PriceFeed!, [10n ** 8n, 8]);
    const comet = await local().deploy(Comet!, [usdc, feed, USDC]);
    const call = callsOf(comet, 'Comet');
    await local().send([
      call(anna, 'addAsset', weth, feed, WAD, (WAD * 8n) / 10n),
      call(ben, 'supplyTo', ben, usdc, 10n ** 12n),
      call(anna, 'supplyTo', anna, weth, WAD),
    ]);
    const liquidated = (amountRaw: bigint) =>
      ({ action: 'liquidation', wallet: anna, counterparty: liquidator, token: usdc, amountRaw }) as const;
    await expectMoves(local(), { family: 'comet', contracts: { comet } }, [
      { call: call(liquidator, 'absorb', liquidator, anna, 90n * USDC), moves: [liquidated(90n * USDC)] },
    ]);
  });
});

describe('fraxlend', () => {
  it.each(['FraxlendPairV1', 'FraxlendPairV2'])(
    'every action in a %s is found once, also in a pair that is added later',
    async (version) => {
      const { FraxlendRegistry, ...rest } = standIns();
      const [frax, weth] = [await token('FRAX', 18), await token('WETH', 18)];
      const registry = await local().deploy(FraxlendRegistry!);
      const pair = await local().deploy(rest[version]!, [frax, weth, WAD / 2_500n, 10n ** 24n]);
      const usdOracle = await usdOracleOf([[frax, 10n ** 8n]]);
      const call = callsOf(pair, version);
      const [lent, held] = [
        { wallet: anna, token: frax, subId: pair },
        { wallet: anna, token: weth, subId: pair },
      ];
      const steps: Step[] = [
        {
          call: { to: registry, abi: FraxlendRegistry!.abi, name: 'addPair', args: [pair], from: ben },
          moves: [],
        },
        {
          call: call(ben, 'deposit', 9n * WAD, anna),
          moves: [{ ...lent, action: 'supply', counterparty: ben, amountRaw: 9n * WAD }],
        },
        {
          call: call(anna, 'withdraw', WAD, ben, anna),
          moves: [{ ...lent, action: 'withdraw', counterparty: ben, amountRaw: WAD }],
        },
        {
          call: call(anna, 'addCollateral', 8n * WAD, anna),
          moves: [{ ...held, action: 'supply', amountRaw: 8n * WAD }],
        },
        {
          call: call(anna, 'borrowAsset', 700n, 3n, anna),
          moves: [
            { ...held, action: 'supply', amountRaw: 3n },
            { ...lent, action: 'borrow', amountRaw: 700n },
          ],
        },
        {
          call: call(ben, 'repayAsset', 100n, anna),
          moves: [{ ...lent, action: 'repay', counterparty: ben, amountRaw: 100n }],
        },
        {
          call: call(anna, 'removeCollateral', WAD, anna),
          moves: [{ ...held, action: 'withdraw', amountRaw: WAD }],
        },
        {
          call: call(liquidator, 'liquidate', 200n, 2n * WAD, anna),
          moves: [{ ...lent, action: 'liquidation', counterparty: liquidator, amountRaw: 200n }],
        },
      ];
      const market = { family: 'fraxlend', contracts: { registry }, usdOracles: [usdOracle] };
      const { usd } = await expectMoves(local(), market, steps);
      expect(await usd(frax, weth)).toEqual([WAD, null]);
    },
  );
});

describe('silo-v2', () => {
  it("every action is found once, also in a market that is created later; a hook's actions are the liquidation", async () => {
    const { Silo, SiloFactory, SiloMarket, SiloOracle } = standIns();
    const [weth, usdc] = [await token('WETH', 18), await token('USDC', 6)];
    const oracle = await local().deploy(SiloOracle!, [usdc]);
    const factory = await local().deploy(SiloFactory!);
    const add = async () => {
      const silos = [
        await local().deploy(Silo!, [weth, oracle, (WAD * 8n) / 10n]),
        await local().deploy(Silo!, [usdc, `0x${'0'.repeat(40)}`, 0n]),
      ] as const;
      const market = await local().deploy(SiloMarket!, silos);
      const call: Call = { to: factory, abi: SiloFactory!.abi, name: 'add', args: [market] };
      return { silos, market, call };
    };
    await local().send([(await add()).call]);
    const { silos, market, call: added } = await add();
    const [hook] = (await local().readMany(
      [{ to: market, abi: SiloMarket!.abi, name: 'hook' }],
      await local().head(),
    )) as [Address];
    const [ether, dollars] = [callsOf(silos[0], 'Silo'), callsOf(silos[1], 'Silo')];
    const [held, owed] = [
      { wallet: anna, token: weth, subId: '2' },
      { wallet: anna, token: usdc, subId: '2' },
    ];
    const steps: Step[] = [
      { call: added, moves: [] },
      {
        call: ether(ben, 'deposit', 9n * WAD, anna, false),
        moves: [{ ...held, action: 'supply', counterparty: ben, amountRaw: 9n * WAD }],
      },
      {
        call: ether(anna, 'deposit', WAD, anna, true),
        moves: [{ ...held, action: 'supply', amountRaw: WAD }],
      },
      {
        call: dollars(anna, 'borrow', 7_000n, ben, anna),
        moves: [{ ...owed, action: 'borrow', counterparty: ben, amountRaw: 7_000n }],
      },
      {
        call: dollars(ben, 'repay', 1_000n, anna),
        moves: [{ ...owed, action: 'repay', counterparty: ben, amountRaw: 1_000n }],
      },
      {
        call: ether(anna, 'withdraw', 3n, anna, anna, false),
        moves: [{ ...held, action: 'withdraw', amountRaw: 3n }],
      },
      {
        call: ether(anna, 'withdraw', 4n, ben, anna, true),
        moves: [{ ...held, action: 'withdraw', counterparty: ben, amountRaw: 4n }],
      },
      {
        call: callsOf(hook.toLowerCase() as Address, 'SiloHook')(
          liquidator,
          'liquidationCall',
          silos[1],
          silos[0],
          anna,
          500n,
          6n,
        ),
        moves: [{ ...owed, action: 'liquidation', counterparty: liquidator, amountRaw: 500n }],
      },
    ];
    await expectMoves(local(), { family: 'silo-v2', contracts: { factory } }, steps);
  });
});

describe('euler-v2', () => {
  it('every action of a sub-account belongs to its owner, also in a vault that is created later', async () => {
    const { EulerConnector, EulerFactory, EulerOracle, EulerVault } = standIns();
    const evc = await local().deploy(EulerConnector!);
    const factory = await local().deploy(EulerFactory!);
    const oracle = await local().deploy(EulerOracle!);
    const [weth, usdc] = [await token('WETH', 18), await token('USDC', 6)];
    const vaultOf = (asset: Address) => local().deploy(EulerVault!, [evc, oracle, asset, asset]);
    const [ether, dollars, stranger] = [await vaultOf(weth), await vaultOf(usdc), await vaultOf(usdc)];
    const usdOracle = await usdOracleOf([[usdc, 10n ** 8n]]);
    const made = callsOf(factory, 'EulerFactory');
    const enable = { to: evc, abi: EulerConnector!.abi, name: 'enable' } as const;
    await local().send([
      made(anna, 'add', ether),
      { ...enable, args: [3, dollars, [ether], [anna, liquidator]] },
    ]);
    const account = (owner: Address, number: bigint): Address =>
      `0x${(BigInt(owner) ^ number).toString(16).padStart(40, '0')}`;
    const [third, theirs] = [account(anna, 3n), account(liquidator, 3n)];
    const own = { wallet: anna, subId: third.slice(-2) };
    const onEther = callsOf(ether, 'EulerVault');
    const onDollars = callsOf(dollars, 'EulerVault');
    const steps: Step[] = [
      { call: made(anna, 'add', dollars), moves: [] },
      {
        call: onEther(anna, 'deposit', 9n * WAD, third),
        moves: [{ ...own, action: 'supply', token: weth, amountRaw: 9n * WAD }],
      },
      // No test sends a call to this connector.
      {
        call: onEther(ben, 'deposit', 5n, ben),
        moves: [{ wallet: ben, subId: ben.slice(-2), action: 'supply', token: weth, amountRaw: 5n }],
      },
      {
        call: onEther(anna, 'withdraw', 2n, ben, third),
        moves: [{ ...own, action: 'withdraw', counterparty: ben, token: weth, amountRaw: 2n }],
      },
      {
        call: onDollars(anna, 'borrow', 7_000n, third),
        moves: [{ ...own, action: 'borrow', token: usdc, amountRaw: 7_000n }],
      },
      {
        call: onDollars(anna, 'repay', 1_000n, third),
        moves: [{ ...own, action: 'repay', token: usdc, amountRaw: 1_000n }],
      },
      {
        call: onDollars(anna, 'pullDebt', 300n, third, theirs),
        moves: [{ ...own, action: 'transfer', counterparty: liquidator, token: usdc, amountRaw: 300n }],
      },
      { call: onDollars(anna, 'pullDebt', 300n, third, anna), moves: [] },
      {
        call: onDollars(liquidator, 'liquidate', theirs, third, ether, 400n),
        moves: [{ ...own, action: 'liquidation', counterparty: liquidator, token: usdc, amountRaw: 400n }],
      },
      // A contract that the factory did not create may emit any log.
      { call: callsOf(stranger, 'EulerVault')(anna, 'deposit', WAD, anna), moves: [] },
    ];
    const contracts = { evc, eVaultFactory: factory };
    const { usd } = await expectMoves(
      local(),
      { family: 'euler-v2', contracts, usdOracles: [usdOracle] },
      steps,
    );
    expect(await usd(usdc, weth)).toEqual([WAD, null]);
  });
});
