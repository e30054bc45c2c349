import type { Address } from 'viem';
import { standIns, testWallets } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const [anna, ben, liquidator] = testWallets(3, 0x6200) as [Address, Address, Address];
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

describe.each([
  ['compound-v2', 'CompoundComptroller', 'CompoundFlowToken', [false]],
  ['venus-core', 'VenusCoreComptroller', 'CompoundFlowToken', [true]],
  ['venus-isolated', 'VenusIsolatedComptroller', 'VenusFlowToken', []],
] as const)('%s', (family, comptrollerName, tokenName, more) => {
  it("every action is found once; a liquidator's repayment is the liquidation", async () => {
    const { CompoundOracle, ...rest } = standIns();
    const oracle = await local().deploy(CompoundOracle!);
    const comptroller = await local().deploy(rest[comptrollerName]!, [oracle]);
    const [weth, usdc] = [await token('WETH', 18), await token('USDC', 6)];
    const market = (asset: Address) => local().deploy(rest[tokenName]!, [asset, ...more]);
    const [held, owed] = [await market(weth), await market(usdc)];
    const list = { to: comptroller, abi: rest[comptrollerName]!.abi, name: 'list' } as const;
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
