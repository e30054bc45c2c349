import { encodeFunctionResult, parseAbi, type Hex } from 'viem';
import type { ChainClient } from '../rpc/chain-client';
import { ChainReadError } from '../rpc/chain-read-error';
import { Multicall } from './multicall';
import { PlanBuilder } from './plan-builder';
import { both } from './read-call';

const abi = parseAbi([
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3() returns (Result[] returnData)',
  'function number() view returns (uint256)',
]);
const BLOCK = { number: 7n, hash: '0x77', timestamp: 0n } as const;
const TARGET = `0x${'ab'.repeat(20)}` as const;
/** Every encoded call of number() is 160 bytes of the array and 32 of its offset. */
const BYTES_PER_CALL = 192;

/** Returns the running number of each call. Rejects more than `limit` calls in one request. */
function nodeWith(limit: number, success = (_index: number): boolean => true) {
  const sizes: number[] = [];
  let served = 0;
  const client: ChainClient = {
    chainId: 1,
    request: async <T>(method: string, [transaction]: readonly unknown[]): Promise<T> => {
      if (method === 'web3_clientVersion') return 'Geth/v1.16.0' as T;
      const { data } = transaction as { data: Hex };
      const count = Math.floor((data.length / 2 - 69) / BYTES_PER_CALL);
      sizes.push(count);
      if (count > limit) throw new ChainReadError('rpc_rejected', 1, 'out of gas');
      const result = Array.from({ length: count }, () => {
        const index = served++;
        const returnData = encodeFunctionResult({ abi, functionName: 'number', result: BigInt(index) });
        return success(index) ? { success: true, returnData } : { success: false, returnData: '0x' as const };
      });
      return encodeFunctionResult({ abi, functionName: 'aggregate3', result }) as T;
    },
  };
  return { client, sizes };
}

function planOf(count: number) {
  const plan = new PlanBuilder(1, 'numbers');
  const slots = Array.from({ length: count }, () => plan.call(TARGET, abi, 'number', []));
  return { plan, slots };
}

describe('Multicall', () => {
  it('halves a chunk that the node rejects, and returns every result in order', async () => {
    const { client, sizes } = nodeWith(100);
    const { plan, slots } = planOf(1_200);
    const values = await new Multicall(client, TARGET).read(
      plan.build(({ value }) => slots.map(value)),
      BLOCK,
    );
    expect(values).toEqual(Array.from({ length: 1_200 }, (_, index) => BigInt(index)));
    expect(sizes.slice(0, 4)).toEqual([1_000, 500, 250, 125]);
  });

  it('throws when even the smallest chunk is rejected', async () => {
    const { client } = nodeWith(0);
    const { plan, slots } = planOf(40);
    const read = new Multicall(client, TARGET).read(
      plan.build(({ value }) => slots.map(value)),
      BLOCK,
    );
    await expect(read).rejects.toMatchObject({ code: 'rpc_rejected' });
  });

  it('distinguishes a failed call from a successful one', async () => {
    const { client } = nodeWith(100, (index) => index !== 1);
    const { plan, slots } = planOf(3);
    const outcomes = await new Multicall(client, TARGET).read(
      plan.build(({ outcome }) => slots.map(outcome)),
      BLOCK,
    );
    expect(outcomes).toEqual([
      { ok: true, value: 0n },
      { ok: false, reason: 'reverted' },
      { ok: true, value: 2n },
    ]);
  });

  it('throws call_failed for a missing required value', async () => {
    const { client } = nodeWith(100, () => false);
    const { plan, slots } = planOf(1);
    const read = new Multicall(client, TARGET).read(
      plan.build(({ value }) => slots.map(value)),
      BLOCK,
    );
    await expect(read).rejects.toMatchObject({ code: 'call_failed' });
  });

  it('reads two plans in one request', async () => {
    const { client, sizes } = nodeWith(100);
    const [first, second] = [planOf(2), planOf(1)];
    const plan = both(
      first.plan.build(({ value }) => first.slots.map(value)),
      second.plan.build(({ value }) => second.slots.map(value)),
    );
    expect(await new Multicall(client, TARGET).read(plan, BLOCK)).toEqual([[0n, 1n], [2n]]);
    expect(sizes).toEqual([3]);
  });

  it('throws unknown_layout without a Multicall3', async () => {
    const client: ChainClient = { chainId: 1, request: <T>() => Promise.resolve('0x' as T) };
    const { plan, slots } = planOf(1);
    const read = new Multicall(client, TARGET).read(
      plan.build(({ value }) => slots.map(value)),
      BLOCK,
    );
    await expect(read).rejects.toMatchObject({ code: 'unknown_layout' });
  });
});
