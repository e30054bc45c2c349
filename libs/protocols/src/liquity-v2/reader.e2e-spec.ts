import { describeFamily } from '../../test/describe-family';
import { expectTotalsOf } from '../../test/expect-totals';
import { amountsFrom, debtsOf, standIns, testWallets } from '../../test/local-chain';
import { inParts, useLocalChain } from '../../test/use-local-chain';
import type { RawPosition } from '../reader/raw-position';
import { liquityV2 } from './reader';

const WAD = 10n ** 18n;
const PRICES = [2_513_771_234_567_890_123_456n, 3_002_123_456_789_012_345_678n];
const partsOf = ({ subId }: RawPosition): bigint[] => subId.split(':').map(BigInt);

const local = useLocalChain();
const troves = describeFamily('liquity-v2', liquityV2, local, async (chain, wallets) => {
  const { LiquityV2Branch, LiquityV2Registry, Token } = standIns();
  const registry = await chain.deploy(LiquityV2Registry!);
  const call = { to: registry, abi: LiquityV2Registry!.abi };
  const { amount } = amountsFrom(51);
  const branches = [];
  for (const [index, price] of PRICES.entries()) {
    const minimum = (WAD * BigInt(110 + 10 * index)) / 100n;
    const branch = await chain.deploy(LiquityV2Branch!, [minimum, price]);
    const token = await chain.deploy(Token!, [index === 0 ? 'WETH' : 'wstETH', 18]);
    const holders = index === 0 ? wallets : wallets.slice(0, 50);
    const collaterals = holders.map(() => amount(18));
    const debts = debtsOf(
      collaterals.map((each) => (each * price) / WAD),
      96n,
      52 + index,
    );
    await chain.send([
      ...inParts({ to: branch, abi: LiquityV2Branch!.abi, name: 'set' }, [], [holders, collaterals, debts]),
      { ...call, name: 'add', args: [token, branch] },
    ]);
    // The second branch has no price feed in the row, like those of Felix.
    branches.push({ troveManager: branch, ...(index === 0 && { priceFeed: branch }) });
  }
  return {
    contracts: { collateralRegistry: registry, branches },
    call,
    heart: branches[0]!.troveManager,
  };
});

describe('liquity-v2 as a system', () => {
  const branchOf = (index: number) => {
    const branches = troves.deployed().contracts['branches'] as { troveManager: `0x${string}` }[];
    return { to: branches[index]!.troveManager, abi: standIns()['LiquityV2Branch']!.abi };
  };
  const read = async (wallets = troves.wallets) =>
    (await troves.reader().readPositions(wallets, await local().head())).positions;
  const idOf = (position: RawPosition): bigint => partsOf(position)[1]!;

  it('its totals are those of all troves', async () => {
    const block = await local().head();
    const { positions } = await troves.reader().readPositions(troves.wallets, block);
    expectTotalsOf(await troves.reader().readTotals(block), positions);
  });

  it('troves of several branches are separate positions, approximate without a known price feed', async () => {
    const positions = await read();
    const inSecond = positions.filter(({ subId }) => subId.startsWith('1:'));
    expect(inSecond.length).toBe(50);
    expect(inSecond.every(({ verification }) => verification === 'approximate')).toBe(true);
    expect(positions.filter(({ verification }) => verification === 'approximate').length).toBe(50);
  });

  it('the trove with the lowest rate of each branch is next to be redeemed', async () => {
    const next = (await read()).filter(({ flags }) => flags.includes('redemption'));
    expect(next.map(({ subId }) => subId[0]).sort()).toEqual(['0', '1']);
  });

  it('a trove belongs to the wallet that received its NFT, and a closed one to none', async () => {
    const [first, second] = troves.wallets.slice(100, 102);
    const [given] = await read([first!]);
    const [closed] = await read([second!]);
    const [heir] = testWallets(1, 0x9100);
    await local().send([
      { ...branchOf(0), name: 'give', args: [idOf(given!), heir] },
      { ...branchOf(0), name: 'close', args: [idOf(closed!)] },
    ]);
    expect(await read([first!, second!])).toEqual([]);
    expect((await read([heir!])).map(({ subId }) => subId)).toEqual([given!.subId]);
  });

  it('a branch that is shut down has the flag', async () => {
    await local().send([{ ...branchOf(1), name: 'shutDown' }]);
    const flagged = (await read()).filter(({ flags }) => flags.includes('shutdown'));
    expect(flagged.map(({ subId }) => subId[0])).toEqual(Array.from({ length: 50 }, () => '1'));
  });
});
