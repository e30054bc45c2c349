import type { Address } from 'viem';
import { describeFamily } from '../../test/describe-family';
import { expectTotalsOf } from '../../test/expect-totals';
import { expectOpened } from '../../test/expect-opened';
import { amountsFrom, debtsOf, standIns, testWallets } from '../../test/local-chain';
import { inParts, useLocalChain } from '../../test/use-local-chain';
import { FamilyReader } from '../reader/family-reader';
import { liquityV1 } from './reader';

const WAD = 10n ** 18n;
const ETHER_PRICE = 2_513_771_234_567_890_123_456n;
const local = useLocalChain();

const troves = describeFamily('liquity-v1', liquityV1, local, async (chain, wallets) => {
  const artifact = standIns()['LiquityTroves']!;
  const troveManager = await chain.deploy(artifact, [ETHER_PRICE]);
  const call = { to: troveManager, abi: artifact.abi };
  const { amount } = amountsFrom(11);
  const collaterals = wallets.map(() => amount(18));
  const debts = debtsOf(
    collaterals.map((each) => (each * ETHER_PRICE) / WAD),
    94n,
    12,
  );
  // One large and safe trove keeps the whole system above the critical ratio.
  await chain.send([
    ...inParts({ ...call, name: 'set' }, [], [wallets, collaterals, debts]),
    { ...call, name: 'set', args: [[chain.operator], [10n ** 30n], [10n ** 30n]] },
  ]);
  return { contracts: { troveManager }, call, heart: troveManager };
});

describe('liquity-v1 as a system', () => {
  const send = (name: string, args: readonly unknown[]): Promise<void> =>
    local().send([{ ...troves.deployed().call, name, args }]);
  it('its totals are those of all troves', async () => {
    const block = await local().head();
    const all = [...troves.wallets, local().operator];
    const { positions } = await troves.reader().readPositions(all, block);
    expectTotalsOf(await troves.reader().readTotals(block), positions);
  });

  it('names the wallet that opens a trove, and no other', async () => {
    const { LiquityOperations } = standIns();
    const { call } = troves.deployed();
    const [operations] = (await local().readMany(
      [{ ...call, name: 'borrowerOperationsAddress' }],
      await local().head(),
    )) as Address[];
    const [stranger] = testWallets(1, 0x9500);
    const open = { to: operations!, abi: LiquityOperations!.abi, name: 'openTrove' };
    await expectOpened(local(), troves.reader(), stranger!, [
      { ...open, from: stranger!, args: [10n * WAD, 2_000n * WAD] },
      { ...call, name: 'redistribute', args: [WAD / 9n] },
    ]);
  });

  it('LUSD counts as a dollar, and its debt states the market price where an oracle of the chain knows it', async () => {
    const { UsdOracle } = standIns();
    const usdOracle = await local().deploy(UsdOracle!);
    const { call, contracts } = troves.deployed();
    const row = { protocol: 'liquity-v1', family: 'liquity-v1', chainId: 1, market: 'liquity-v1', contracts };
    const { client, multicall } = local();
    const debtOf = async () => {
      const reader = new FamilyReader(liquityV1, row, { client, multicall, usdOracles: [usdOracle] });
      const { positions } = await reader.readPositions([troves.wallets[1]!], await local().head());
      const { legs, totalDebtRaw } = positions[0]!;
      const { priceRaw, amountRaw, marketUsdRaw } = legs.find(({ side }) => side === 'debt')!;
      return { priceRaw, isWhole: amountRaw === totalDebtRaw, marketUsdRaw };
    };
    expect(await debtOf()).toEqual({ priceRaw: WAD, isWhole: true, marketUsdRaw: undefined });
    const [lusd] = (await local().readMany(
      [{ ...call, name: 'lusdToken' }],
      await local().head(),
    )) as Address[];
    await local().send([{ to: usdOracle, abi: UsdOracle!.abi, name: 'setPrice', args: [lusd, 99_100_000n] }]);
    expect(await debtOf()).toEqual({ priceRaw: WAD, isWhole: true, marketUsdRaw: (991n * WAD) / 1_000n });
  });

  it('a closed trove is no position', async () => {
    const [wallet] = troves.wallets;
    await send('close', [wallet]);
    const { positions } = await troves.reader().readPositions([wallet!], await local().head());
    expect(positions).toEqual([]);
  });
});
