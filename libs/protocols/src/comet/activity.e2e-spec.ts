import { standIns } from '../../test/local-chain';
import { expectMoves, playMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator, usdOracleOf, callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const local = useLocalChain();
const token = tokensOn(local);

describe('comet', () => {
  const USDC = 10n ** 6n;

  it('every action is found once; paying debt is a repayment, and taking more than the supply is a loan', async () => {
    const { Comet, PriceFeed } = standIns();
    const [weth, usdc] = [await token('WETH', 18), await token('USDC', 6)];
    const feed = await local().deploy(PriceFeed!, [2_500n * 10n ** 8n, 8]);
    const comet = await local().deploy(Comet!, [usdc, feed, USDC]);
    const usdOracle = await usdOracleOf(local(), [[usdc, 100_100_000n]]);
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
      { call: call(ben, 'transferAsset', anna, weth, 0n), moves: [] },
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
