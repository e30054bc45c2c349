import type { Address } from 'viem';
import { standIns } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator, callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const local = useLocalChain();
const token = tokensOn(local);

describe.each([
  ['compound-v2', 'CompoundFlowToken', [false]],
  ['venus-core', 'CompoundFlowToken', [true]],
  ['venus-isolated', 'VenusFlowToken', []],
] as const)('%s', (family, tokenName, more) => {
  it("every action is found once; a liquidator's repayment is the liquidation", async () => {
    const { CompoundOracle, CompoundComptroller, ...rest } = standIns();
    const oracle = await local().deploy(CompoundOracle!);
    const comptroller = await local().deploy(CompoundComptroller!, [oracle]);
    const [weth, usdc] = [await token('WETH', 18), await token('USDC', 6)];
    const market = (asset: Address) => local().deploy(rest[tokenName]!, [asset, ...more]);
    const [held, owed] = [await market(weth), await market(usdc)];
    const list = { to: comptroller, abi: CompoundComptroller!.abi, name: 'list' } as const;
    const price = { to: oracle, abi: CompoundOracle!.abi, name: 'setPrice' } as const;
    await local().send([
      { ...list, args: [held, (WAD * 8n) / 10n] },
      { ...list, args: [owed, (WAD * 8n) / 10n] },
      { ...price, args: [held, 2_500n * WAD] },
      { ...price, args: [owed, 10n ** 30n] },
    ]);
    const [onHeld, onOwed] = [callsOf(held, tokenName), callsOf(owed, tokenName)];
    const of = (asset: Address) => ({ wallet: anna, token: asset });
    const steps: Step[] = [
      {
        call: onHeld(anna, 'mint', 9n * WAD),
        moves: [{ ...of(weth), action: 'supply', amountRaw: 9n * WAD }],
      },
      {
        call: onHeld(anna, 'redeemUnderlying', WAD),
        moves: [{ ...of(weth), action: 'withdraw', amountRaw: WAD }],
      },
      { call: onOwed(anna, 'borrow', 700n), moves: [{ ...of(usdc), action: 'borrow', amountRaw: 700n }] },
      {
        call: onOwed(ben, 'repayBorrowBehalf', anna, 300n),
        moves: [{ ...of(usdc), action: 'repay', counterparty: ben, amountRaw: 300n }],
      },
      {
        call: onOwed(liquidator, 'liquidateBorrow', anna, 90n, held),
        moves: [{ ...of(usdc), action: 'liquidation', counterparty: liquidator, amountRaw: 90n }],
      },
    ];
    if (family === 'venus-core')
      steps.push({
        call: onHeld(ben, 'mintBehalf', anna, WAD),
        moves: [{ ...of(weth), action: 'supply', counterparty: ben, amountRaw: WAD }],
      });
    if (family === 'venus-isolated')
      steps.push({
        call: onOwed(ben, 'healBorrow', liquidator, anna, 50n),
        moves: [{ ...of(usdc), action: 'liquidation', counterparty: liquidator, amountRaw: 50n }],
      });
    const { usd } = await expectMoves(local(), { family, contracts: { comptroller } }, steps);
    expect(await usd(weth, usdc)).toEqual([2_500n * WAD, WAD]);
  });
});
