import type { Address } from 'viem';
import { standIns } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator, callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const local = useLocalChain();
const token = tokensOn(local);

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
