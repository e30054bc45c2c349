import { zeroAddress, type Address } from 'viem';
import { standIns } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator, callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
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
      { to: usdOracle, abi: UsdOracle!.abi, name: 'setPrice', args: [usdc, 10n ** 8n] },
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
          { wallet: second, token: usdc, action: 'liquidation', counterparty: liquidator, amountRaw: 2_000n },
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
