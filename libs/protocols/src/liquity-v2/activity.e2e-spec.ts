import type { Address } from 'viem';
import { standIns } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator, callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const local = useLocalChain();
const token = tokensOn(local);

describe('liquity-v2', () => {
  it('every action belongs to the current owner of the trove; redemptions have no wallet', async () => {
    const { LiquityV2Branch, LiquityV2Registry } = standIns();
    const registry = await local().deploy(LiquityV2Registry!);
    const [first, branch] = [
      await local().deploy(LiquityV2Branch!, [(WAD * 11n) / 10n, 2_500n * WAD]),
      await local().deploy(LiquityV2Branch!, [(WAD * 12n) / 10n, 3_000n * WAD]),
    ];
    const [weth, wsteth] = [await token('WETH', 18), await token('wstETH', 18)];
    const add = { to: registry, abi: LiquityV2Registry!.abi, name: 'add' } as const;
    await local().send([
      { ...add, args: [weth, first] },
      { ...add, args: [wsteth, branch] },
    ]);
    const [bold] = (
      (await local().readMany(
        [{ to: registry, abi: LiquityV2Registry!.abi, name: 'boldToken' }],
        await local().head(),
      )) as Address[]
    ).map((address) => address.toLowerCase() as Address);
    const call = callsOf(branch, 'LiquityV2Branch');
    // Two troves from before the first block that is read.
    await local().send([
      call(ben, 'openTrove', 8n, ben, 5n * WAD, 900n * WAD),
      call(ben, 'openTrove', 9n, ben, 6n * WAD, 800n * WAD),
    ]);
    const of = (wallet: Address, id: bigint, isDebt: boolean) => ({
      wallet,
      token: isDebt ? bold! : wsteth,
      subId: `1:${id}`,
    });
    const steps: Step[] = [
      {
        call: call(anna, 'openTrove', 7n, anna, 9n * WAD, 2_000n * WAD),
        moves: [
          { ...of(anna, 7n, false), action: 'supply', amountRaw: 9n * WAD },
          { ...of(anna, 7n, true), action: 'borrow', amountRaw: 2_000n * WAD },
        ],
      },
      {
        call: call(anna, 'adjustTrove', 7n, -WAD, -500n * WAD),
        moves: [
          { ...of(anna, 7n, true), action: 'repay', amountRaw: 500n * WAD },
          { ...of(anna, 7n, false), action: 'withdraw', amountRaw: WAD },
        ],
      },
      { call: call(anna, 'applyPendingDebt', 7n), moves: [] },
      { call: call(liquidator, 'redeem', 7n, 100n, 10n), moves: [] },
      {
        call: call(ben, 'adjustTrove', 8n, 2n * WAD, 0n),
        moves: [{ ...of(ben, 8n, false), action: 'supply', amountRaw: 2n * WAD }],
      },
      {
        call: call(anna, 'give', 7n, ben),
        moves: [{ ...of(anna, 7n, false), action: 'transfer', counterparty: ben, amountRaw: 8n * WAD - 10n }],
      },
      {
        call: call(ben, 'adjustTrove', 7n, 0n, 100n * WAD),
        moves: [{ ...of(ben, 7n, true), action: 'borrow', amountRaw: 100n * WAD }],
      },
      {
        call: call(ben, 'end', 7n, 1),
        moves: [
          { ...of(ben, 7n, true), action: 'repay', amountRaw: 1_600n * WAD + 7n - 100n },
          { ...of(ben, 7n, false), action: 'withdraw', amountRaw: 8n * WAD - 10n },
        ],
      },
      {
        call: call(liquidator, 'end', 9n, 5),
        moves: [
          {
            ...of(ben, 9n, true),
            action: 'liquidation',
            counterparty: liquidator,
            amountRaw: 800n * WAD + 7n,
          },
        ],
      },
    ];
    const contracts = { collateralRegistry: registry, branches: [{ troveManager: first, priceFeed: first }] };
    const { usd } = await expectMoves(local(), { family: 'liquity-v2', contracts }, steps);
    expect(await usd(bold!, weth, wsteth)).toEqual([WAD, 2_500n * WAD, 3_000n * WAD]);
  });
});
