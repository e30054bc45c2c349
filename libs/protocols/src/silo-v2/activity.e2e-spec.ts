import { zeroAddress, type Address } from 'viem';
import { standIns, testWallets } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const [anna, ben, liquidator] = testWallets(3, 0x6200) as [Address, Address, Address];
const local = useLocalChain();
const token = tokensOn(local);

describe('fluid', () => {
  it('every action belongs to the NFT’s owner, also in a vault that is created later', async () => {
    const { FluidVault, FluidVaults, UsdOracle } = standIns();
    const resolver = await local().deploy(FluidVaults!);
    const [wbtc, usdc] = [await token('WBTC', 8), await token('USDC', 6)];
    const vaultOf = () => local().deploy(FluidVault!, [resolver]);
    const [first, second] = [await vaultOf(), await vaultOf()];
    const usdOracle = await local().deploy(UsdOracle!);
    const onResolver = callsOf(resolver, 'FluidVaults');
    const side = (token0: Address) => ({ token0, token1: zeroAddress });
    const native: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
    const price = 10n ** 27n;
    await local().send([
      onResolver(anna, 'list', first, side(wbtc), side(usdc), 9_000, price),
      {
        to: usdOracle,
        abi: UsdOracle!.abi,
        name: 'setPrice',
        args: [usdc, 10n ** 8n],
      },
    ]);
    const [onFirst, onSecond] = [callsOf(first, 'FluidVault'), callsOf(second, 'FluidVault')];
    // Position 1 is from before the first block that is read.
    await local().send([onFirst(ben, 'operate', 0n, 900n, 0n, ben)]);
    const of = (wallet: Address, id: string, asset: Address) => ({ wallet, token: asset, subId: id });
    const steps: Step[] = [
      { call: onResolver(anna, 'list', second, side(native), side(usdc), 8_000, price), moves: [] },
      {
        call: onFirst(anna, 'operate', 0n, 700n, 400n, anna),
        moves: [
          { ...of(anna, '2', wbtc), action: 'supply', amountRaw: 700n },
          { ...of(anna, '2', usdc), action: 'borrow', amountRaw: 400n },
        ],
      },
      {
        call: onSecond(anna, 'operate', 0n, 9n * WAD, 0n, anna),
        moves: [{ ...of(anna, '3', zeroAddress), action: 'supply', amountRaw: 9n * WAD }],
      },
      {
        call: onFirst(anna, 'operate', 2n, -100n, -50n, ben),
        moves: [
          { ...of(anna, '2', usdc), action: 'repay', amountRaw: 50n },
          { ...of(anna, '2', wbtc), action: 'withdraw', amountRaw: 100n },
        ],
      },
      {
        call: onFirst(anna, 'operate', 1n, 30n, 0n, anna),
        moves: [{ ...of(ben, '1', wbtc), action: 'supply', counterparty: anna, amountRaw: 30n }],
      },
      {
        call: onResolver(anna, 'transferFrom', anna, ben, 2n),
        moves: [
          // With the interest of its vault until then.
          { ...of(anna, '2', wbtc), action: 'transfer', counterparty: ben, amountRaw: 607n },
        ],
      },
      {
        call: onFirst(ben, 'operate', 2n, -600n, 0n, ben),
        moves: [{ ...of(ben, '2', wbtc), action: 'withdraw', amountRaw: 600n }],
      },
      // The log does not name the positions that lose it, so it belongs to the vault.
      {
        call: onSecond(liquidator, 'liquidate', WAD, 2_000n, ben),
        moves: [
          {
            wallet: second,
            token: usdc,
            action: 'liquidation',
            counterparty: liquidator,
            amountRaw: 2_000n,
          },
        ],
      },
    ];
    const contracts = { vaultResolver: resolver, vaultFactory: resolver };
    const { usd } = await expectMoves(
      local(),
      { family: 'fluid', contracts, usdOracles: [usdOracle] },
      steps,
    );
    expect(await usd(usdc, wbtc)).toEqual([WAD, null]);
  });
});

describe('dolomite', () => {
  it('every action is found once; changes of debt are distinguished from changes of supply', async () => {
    const margin = await local().deploy(standIns()['DolomiteMargin']!);
    const [weth, usdc] = [await token('WETH', 18), await token('USDC', 6)];
    const call = callsOf(margin, 'DolomiteMargin');
    await local().send([
      call(anna, 'list', weth, 2_500n * WAD, 0n),
      call(anna, 'list', usdc, 10n ** 30n, 0n),
    ]);
    const of = (number: string, asset: Address) => ({ wallet: anna, token: asset, subId: number });
    const steps: Step[] = [
      {
        call: call(anna, 'deposit', 0n, 0n, 10n * WAD),
        moves: [{ ...of('0', weth), action: 'supply', amountRaw: 10n * WAD }],
      },
      // Collateral for another borrowing account of the same wallet: the owner does not change.
      { call: call(anna, 'transfer', 0n, anna, 100n, 0n, 8n * WAD), moves: [] },
      {
        call: call(anna, 'transfer', 100n, anna, 0n, 1n, 5_000_000n),
        moves: [{ ...of('100', usdc), action: 'borrow', amountRaw: 5_000_000n }],
      },
      {
        call: call(anna, 'withdraw', 0n, 1n, 5_000_000n, ben),
        moves: [{ ...of('0', usdc), action: 'withdraw', counterparty: ben, amountRaw: 5_000_000n }],
      },
      {
        call: call(anna, 'withdraw', 100n, 1n, 2_000_000n, anna),
        moves: [{ ...of('100', usdc), action: 'borrow', amountRaw: 2_000_000n }],
      },
      {
        call: call(anna, 'deposit', 100n, 1n, 3_000_000n),
        moves: [{ ...of('100', usdc), action: 'repay', amountRaw: 3_000_000n }],
      },
      {
        call: call(anna, 'transfer', 0n, ben, 0n, 0n, WAD),
        moves: [{ ...of('0', weth), action: 'transfer', counterparty: ben, amountRaw: WAD }],
      },
      // Collateral sold for the debt, more of it than the balance, and debt that is traded with another
      // wallet.
      {
        call: call(anna, 'swap', true, 100n, 0n, 1n, WAD, 1_500_000n),
        moves: [
          { ...of('100', weth), action: 'withdraw', amountRaw: WAD },
          { ...of('100', usdc), action: 'repay', amountRaw: 1_500_000n },
        ],
      },
      {
        call: call(anna, 'swap', false, 0n, 0n, 1n, 4_000_000n, WAD / 2n),
        moves: [
          { ...of('0', weth), action: 'supply', amountRaw: WAD / 2n },
          { ...of('0', usdc), action: 'borrow', amountRaw: 4_000_000n },
        ],
      },
      {
        call: call(anna, 'trade', ben, 1n, 0n, 1_000_000n, WAD / 4n),
        moves: [
          { ...of('0', usdc), action: 'repay', amountRaw: 1_000_000n },
          { ...of('0', weth), action: 'withdraw', amountRaw: WAD / 4n },
          { ...of('0', usdc), wallet: ben, action: 'borrow', amountRaw: 1_000_000n },
          { ...of('0', weth), wallet: ben, action: 'supply', amountRaw: WAD / 4n },
        ],
      },
      {
        call: call(liquidator, 'liquidate', anna, 100n, 0n, 1n, WAD, 1_000_000n),
        moves: [
          { ...of('100', usdc), action: 'liquidation', counterparty: liquidator, amountRaw: 1_000_000n },
        ],
      },
    ];
    const { usd } = await expectMoves(local(), { family: 'dolomite', contracts: { margin } }, steps);
    expect(await usd(weth, usdc)).toEqual([2_500n * WAD, WAD]);
  });
});
