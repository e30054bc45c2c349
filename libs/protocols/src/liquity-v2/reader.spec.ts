import type { BlockRef, MarketRow } from '@plimsoll/evm';
import { encodeFunctionData, type Address } from 'viem';
import { describeRecordedFamily } from '../../test/describe-recorded-family';
import { openRecording } from '../../test/open-recording';
import { liquityV2Abi, readLiquityV2Layout } from './layout';
import { liquityV2 } from './reader';

const WAD = 10n ** 18n;
const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const token = { address: address('a'), symbol: 'WETH', decimals: 18 };
const block: BlockRef = { number: 7n, hash: `0x${'7'.repeat(64)}`, timestamp: 1n };
const row: MarketRow = {
  protocol: 'liquity-v2',
  family: 'liquity-v2',
  chainId: 1,
  market: 'bold',
  contracts: {},
};
const branch = (digit: string) => ({
  troveManager: address(digit),
  troveNft: address(digit),
  sortedTroves: address(digit),
  priceFeed: address(digit),
  collateral: token,
  minimumRatio: (WAD * 11n) / 10n,
});
const state = (price: bigint | null) => ({ price, isShutDown: false, next: new Set<bigint>() });

describe('liquity-v2', () => {
  it('a branch without a price makes only its own troves unreadable', () => {
    const layout = { registry: address('c'), debt: token, branches: [branch('1'), branch('2')] };
    const market = { layout, block, branches: [state(null), state(2_500n * WAD)], debtUsd: null };
    const trove = { collateral: 2n * WAD, debt: 2_000n * WAD, recordedDebt: 2_000n * WAD };
    const wallet = address('f');
    const positions = liquityV2.evaluate(row, market, {
      wallet,
      troves: [
        { branch: 0, id: 5n, ...trove },
        { branch: 1, id: 6n, ...trove },
      ],
      failed: [],
    });
    expect(positions).toMatchObject([
      { subId: '0:5', unreadable: 'call_failed', legs: [] },
      { subId: '1:6', totalDebtRaw: 2_000n * WAD, legs: [{ side: 'collateral' }, { side: 'debt' }] },
    ]);
    expect(positions![1]!.unreadable).toBeUndefined();
  });
});

describeRecordedFamily('liquity-v2/liquity-v2-400-days', ({ branches }) => {
  const [first] = branches as { troveManager: Address }[];
  return first!.troveManager;
});

it.each(['getLatestTroveData', 'ownerOf'] as const)(
  'a trove for which %s fails is unreadable, and hides no other of its wallet',
  async (functionName) => {
    const name = 'liquity-v2/liquity-v2-400-days';
    const { scope, reader, wallets, block: at } = openRecording(name);
    const { positions } = await reader.readPositions(wallets, at);
    const { branches } = await readLiquityV2Layout(scope, at);
    const failed = positions.find(({ wallet, subId }) =>
      positions.some((each) => each.wallet === wallet && each.subId !== subId),
    )!;
    const [branchOf, id] = failed.subId.split(':') as [string, string];
    const { troveManager, troveNft } = branches[Number(branchOf)]!;
    const data = encodeFunctionData({ abi: liquityV2Abi, functionName, args: [BigInt(id)] });
    const failing = openRecording(name, 0, {
      faults: (call) =>
        [troveManager, troveNft].includes(call.to) && call.data === data
          ? { ok: false, data: '0x' }
          : undefined,
    });
    const read = await failing.reader.readPositions(wallets, at);
    expect(read.unreadable).toEqual([]);
    const unread = read.positions.filter((position) => position.unreadable !== undefined);
    expect(unread.map(({ wallet, subId }) => [wallet, subId])).toEqual([[failed.wallet, failed.subId]]);
    const keysOf = (of: readonly { wallet: string; subId: string }[]): string[] =>
      of.map(({ wallet, subId }) => `${wallet} ${subId}`).toSorted();
    expect(keysOf(read.positions)).toEqual(keysOf(positions));
  },
);

it('the trove with the lowest rate of each branch is next to be redeemed', async () => {
  const { reader, wallets, block: at } = openRecording('liquity-v2/liquity-v2-400-days');
  const { positions } = await reader.readPositions(wallets, at);
  const next = positions.filter(({ flags }) => flags.includes('redemption'));
  expect(new Set(next.map(({ subId }) => subId[0]))).toEqual(new Set(['0', '1']));
  expect(next.length).toBeLessThanOrEqual(4);
  expect(positions.some(({ flags }) => flags.includes('shutdown'))).toBe(false);
});

it('the troves of a branch that is shut down have the flag', async () => {
  const { reader, wallets, block: at } = openRecording('liquity-v2/liquity-v2-shutdown');
  const { positions } = await reader.readPositions(wallets, at);
  const branches = [true, false].map(
    (isShutDown) =>
      new Set(
        positions
          .filter(({ flags }) => flags.includes('shutdown') === isShutDown)
          .map(({ subId }) => subId[0]),
      ),
  );
  expect(branches.map(({ size }) => size)).toEqual([1, 1]);
  expect(branches[0]).not.toEqual(branches[1]);
});
