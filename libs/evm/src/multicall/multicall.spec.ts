import { encodeFunctionResult, numberToHex, parseAbi, type Hex } from 'viem';
import type { ChainClient } from '../rpc/chain-client';
import { ChainReadError } from '../rpc/chain-read-error';
import { decodeAggregate3Calls, encodeAggregate3Results } from './aggregate3';
import { Multicall } from './multicall';
import { PlanBuilder } from './plan-builder';
import { both, type Outcome, type ReadCall } from './read-call';

const abi = parseAbi([
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3() returns (Result[] returnData)',
  'function number() view returns (uint256)',
]);
const BLOCK = { number: 7n, hash: '0x77', timestamp: 0n } as const;
const MULTICALL3 = `0x${'ca'.repeat(20)}` as const;
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

  it('throws when a single call is rejected', async () => {
    const { client } = nodeWith(0);
    const { plan, slots } = planOf(40);
    const read = new Multicall(client, TARGET).read(
      plan.build(({ value }) => slots.map(value)),
      BLOCK,
    );
    await expect(read).rejects.toMatchObject({ code: 'rpc_rejected' });
  });

  describe('a call that uses up the gas of every chunk', () => {
    const HOSTILE = `0x${'66'.repeat(20)}` as const;

    /**
     * Executes nothing beside the hostile call. Alone, it leaves enough gas to return that it failed; or it returns too much; or
     * so much that nothing else fits.
     */
    function nodeWithGas(alone: 'fails' | 'rejected' | 'returns' = 'fails') {
      const requests: number[] = [];
      const client: ChainClient = {
        chainId: 1,
        request: async <T>(method: string, [transaction]: readonly unknown[]): Promise<T> => {
          if (method === 'web3_clientVersion') return 'Geth/v1.16.0' as T;
          const calls = decodeAggregate3Calls((transaction as { data: Hex }).data);
          requests.push(calls.length);
          const isHostile = calls.some(({ target }) => target === HOSTILE);
          if (isHostile && (calls.length > 1 || alone === 'rejected'))
            throw new ChainReadError('rpc_rejected', 1, 'out of gas');
          const success = !isHostile || alone === 'returns';
          return encodeAggregate3Results(
            calls.map(({ data }) => ({ success, returnData: success ? data : '0x' })),
          ) as T;
        },
      };
      return { client, requests };
    }

    /** Calls that each return their own number, with hostile ones at some of the places. */
    function planWith(count: number, hostile: readonly number[]) {
      const calls = Array.from({ length: count }, (_, index): ReadCall<unknown> => {
        const data = numberToHex(index, { size: 32 });
        return { target: hostile.includes(index) ? HOSTILE : TARGET, data, decode: Number };
      });
      return { calls, assemble: (outcomes: readonly Outcome<unknown>[]) => outcomes };
    }
    const expected = (count: number, hostile: readonly number[]): Outcome<unknown>[] =>
      Array.from({ length: count }, (_, index) =>
        hostile.includes(index) ? { ok: false, reason: 'reverted' } : { ok: true, value: index },
      );

    it.each([
      ['fails', 40, [0]],
      ['fails', 5, [3]],
      ['fails', 1_200, [777]],
      ['fails', 1_200, [500, 501, 1_199]],
      ['rejected', 1_200, [500, 501, 1_199]],
    ] as const)(
      'that %s alone: of %d calls, those at %j fail, and every other is read',
      async (how, count, at) => {
        const { client } = nodeWithGas(how);
        const read = await new Multicall(client, MULTICALL3).read(planWith(count, at), BLOCK);
        expect(read).toEqual(expected(count, at));
      },
    );

    it.each([
      ['fails', [400], [999]],
      ['rejected', [400], [999]],
      ['returns', [], [999, 1]],
    ] as const)(
      'that %s alone is searched for once, and makes no later chunk smaller',
      async (how, failed, next) => {
        const { client, requests } = nodeWithGas(how);
        const multicall = new Multicall(client, MULTICALL3);
        expect(await multicall.read(planWith(1_000, [400]), BLOCK)).toEqual(expected(1_000, failed));
        requests.length = 0;
        expect(await multicall.read(planWith(1_000, [400]), BLOCK)).toEqual(expected(1_000, failed));
        expect(requests).toEqual(next);
      },
    );
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
