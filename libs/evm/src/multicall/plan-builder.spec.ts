import { parseAbi } from 'viem';
import { readAll } from './plan-builder';
import type { Outcome, ReadPlan } from './read-call';

const TARGET = `0x${'1'.repeat(40)}` as const;
const abi = parseAbi(['function number(uint256 id) view returns (uint256)']);
const row = { protocol: 'p', family: 'f', chainId: 1, market: 'm', contracts: {} };
const block = { number: 1n, hash: TARGET, timestamp: 0n };

/** A chain on which call n returns n, except the calls that revert. */
const chainWith = (...reverted: readonly number[]) => ({
  read: <T>({ calls, assemble }: ReadPlan<T>): Promise<T> =>
    Promise.resolve().then(() =>
      assemble(
        calls.map((_, at): Outcome<unknown> =>
          reverted.includes(at) ? { ok: false, reason: 'reverted' } : { ok: true, value: BigInt(at) },
        ),
      ),
    ),
});

describe('readAll', () => {
  it('reads values in the shape of their calls, and keeps other values', async () => {
    const read = await readAll({ row, multicall: chainWith(3) }, 'numbers', block, (plan) => ({
      first: plan.call(TARGET, abi, 'number', [0n]),
      list: [1n, 2n].map((id) => ({ id, value: plan.call(TARGET, abi, 'number', [id]) })),
      failed: plan.attempt(TARGET, abi, 'number', [3n]),
      none: null,
    }));
    expect(read).toEqual({
      first: 0n,
      list: [
        { id: 1n, value: 1n },
        { id: 2n, value: 2n },
      ],
      failed: { ok: false, reason: 'reverted' },
      none: null,
    });
  });

  it('a call that must work rejects with the subject of the read', async () => {
    const read = readAll({ row, multicall: chainWith(0) }, 'numbers', block, (plan) =>
      plan.call(TARGET, abi, 'number', [0n]),
    );
    await expect(read).rejects.toMatchObject({
      code: 'call_failed',
      message: expect.stringContaining('numbers of p m') as string,
    });
  });
});
