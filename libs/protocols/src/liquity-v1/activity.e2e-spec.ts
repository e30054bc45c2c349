import { zeroAddress, type Address } from 'viem';
import { standIns } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator, callsOf } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const local = useLocalChain();

describe('liquity-v1', () => {
  it.each([
    ['blocks of their own', false],
    ['one block', true],
  ])(
    'in %s: every action equals the change of the trove, without fee, reserve and redistributions',
    async (_where, isAtOnce) => {
      const artifact = standIns()['LiquityTroves']!;
      const troveManager = await local().deploy(artifact, [2_500n * WAD]);
      const [lusd, operations] = (
        (await local().readMany(
          ['lusdToken', 'borrowerOperationsAddress'].map((name) => ({
            to: troveManager,
            abi: artifact.abi,
            name,
          })),
          await local().head(),
        )) as Address[]
      ).map((address) => address.toLowerCase() as Address) as [Address, Address];
      const manager = callsOf(troveManager, 'LiquityTroves');
      const borrower = callsOf(operations, 'LiquityOperations');
      // A trove from before the first block that is read.
      await local().send([borrower(ben, 'openTrove', 40n * WAD, 30_000n * WAD)]);
      const ether = { wallet: anna, token: zeroAddress };
      const debt = { wallet: anna, token: lusd };
      const steps: Step[] = [
        {
          call: borrower(anna, 'openTrove', 10n * WAD, 8_000n * WAD),
          moves: [
            { ...ether, action: 'supply', amountRaw: 10n * WAD },
            { ...debt, action: 'borrow', amountRaw: 8_000n * WAD },
          ],
        },
        { call: manager(anna, 'redistribute', WAD / 10n), moves: [] },
        {
          call: borrower(anna, 'adjustTrove', -2n * WAD, 1_000n * WAD),
          moves: [
            { ...debt, action: 'borrow', amountRaw: 1_000n * WAD },
            { ...ether, action: 'withdraw', amountRaw: 2n * WAD },
          ],
        },
        {
          call: borrower(ben, 'adjustTrove', 3n * WAD, -5_000n * WAD),
          moves: [
            { wallet: ben, token: zeroAddress, action: 'supply', amountRaw: 3n * WAD },
            { wallet: ben, token: lusd, action: 'repay', amountRaw: 5_000n * WAD },
          ],
        },
        { call: manager(liquidator, 'redeem', anna, 500n * WAD, WAD), moves: [] },
        {
          call: borrower(anna, 'closeTrove'),
          // Borrowed 9,000 and a fee of half a percent, minus the redeemed amount, plus the
          // redistributed amount for 10 ether.
          moves: [
            { ...debt, action: 'repay', amountRaw: 8_546n * WAD },
            { ...ether, action: 'withdraw', amountRaw: 7n * WAD },
          ],
        },
        {
          call: manager(liquidator, 'liquidate', ben),
          moves: [
            {
              wallet: ben,
              token: lusd,
              action: 'liquidation',
              counterparty: liquidator,
              amountRaw: 25_354n * WAD,
            },
          ],
        },
      ];
      const { usd } = await expectMoves(
        local(),
        { family: 'liquity-v1', contracts: { troveManager } },
        steps,
        isAtOnce,
      );
      expect(await usd(zeroAddress, lusd)).toEqual([2_500n * WAD, WAD]);
    },
  );
});
