import { standIns } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator, callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const local = useLocalChain();
const token = tokensOn(local);

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
