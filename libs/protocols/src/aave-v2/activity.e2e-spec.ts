import type { Address } from 'viem';
import { standIns } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator, callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const local = useLocalChain();
const token = tokensOn(local);

describe('aave-v2', () => {
  it('every action is found once, also in a reserve that is listed later', async () => {
    const { AaveV2Market, UsdOracle } = standIns();
    const market = await local().deploy(AaveV2Market!);
    const usdOracle = await local().deploy(UsdOracle!);
    const [weth, usdc] = [await token('WETH', 18), await token('USDC', 6)];
    const call = callsOf(market, 'AaveV2Market');
    await local().send([
      call(anna, 'list', weth, 8_000n, 18n, WAD),
      { to: usdOracle, abi: UsdOracle!.abi, name: 'setPrice', args: [usdc, 10n ** 8n] },
    ]);
    const [{ aTokenAddress }] = (await local().readMany(
      [{ to: market, abi: AaveV2Market!.abi, name: 'getReserveData', args: [weth] }],
      await local().head(),
    )) as [{ aTokenAddress: Address }];
    const aToken = callsOf(aTokenAddress.toLowerCase() as Address, 'AaveV2Token');
    const held = { wallet: anna, token: weth };
    const owed = { wallet: anna, token: usdc };
    const steps: Step[] = [
      { call: call(anna, 'list', usdc, 8_000n, 6n, WAD / 2_500n), moves: [] },
      {
        call: call(ben, 'deposit', weth, 9n * WAD, anna, 0),
        moves: [{ ...held, action: 'supply', counterparty: ben, amountRaw: 9n * WAD }],
      },
      {
        call: call(anna, 'withdraw', weth, WAD, ben),
        moves: [{ ...held, action: 'withdraw', counterparty: ben, amountRaw: WAD }],
      },
      {
        call: call(anna, 'borrow', usdc, 700n, 2n, 0, anna),
        moves: [{ ...owed, action: 'borrow', amountRaw: 700n }],
      },
      {
        call: call(ben, 'repay', usdc, 300n, 2n, anna),
        moves: [{ ...owed, action: 'repay', counterparty: ben, amountRaw: 300n }],
      },
      {
        call: aToken(anna, 'transfer', ben, 2n * WAD),
        moves: [{ ...held, action: 'transfer', counterparty: ben, amountRaw: 2n * WAD }],
      },
      ...[false, true].map((receiveAToken) => ({
        call: call(liquidator, 'liquidationCall', weth, usdc, anna, 90n, receiveAToken),
        moves: [{ ...owed, action: 'liquidation', counterparty: liquidator, amountRaw: 90n }] as const,
      })),
    ];
    const contracts = { addressesProvider: market };
    const played = { family: 'aave-v2', contracts, usdOracles: [usdOracle] };
    const { usd } = await expectMoves(local(), played, steps);
    expect(await usd(usdc, weth)).toEqual([WAD, null]);
  });
});
