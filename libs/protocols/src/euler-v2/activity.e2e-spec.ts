import type { Address } from 'viem';
import { standIns } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator, usdOracleOf, callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const local = useLocalChain();
const token = tokensOn(local);

describe('euler-v2', () => {
  it('every action of a sub-account belongs to its owner, also in a vault that is created later', async () => {
    const { EulerConnector, EulerFactory, EulerOracle, EulerVault } = standIns();
    const evc = await local().deploy(EulerConnector!);
    const factory = await local().deploy(EulerFactory!);
    const oracle = await local().deploy(EulerOracle!);
    const [weth, usdc] = [await token('WETH', 18), await token('USDC', 6)];
    const vaultOf = (asset: Address) => local().deploy(EulerVault!, [evc, oracle, asset, asset]);
    const [ether, dollars, stranger] = [await vaultOf(weth), await vaultOf(usdc), await vaultOf(usdc)];
    const usdOracle = await usdOracleOf(local(), [[usdc, 10n ** 8n]]);
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
