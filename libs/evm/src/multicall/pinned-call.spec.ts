import { InvalidParamsRpcError, ResourceNotFoundRpcError, RpcRequestError } from 'viem';
import type { ChainClient } from '../rpc/chain-client';
import { ChainReadError } from '../rpc/chain-read-error';
import { PinnedCall } from './pinned-call';

const BLOCK = { number: 7n, hash: '0x77', timestamp: 0n } as const;
const CALL = { to: '0x01', data: '0x02' } as const;
const rejected = (code: number): ChainReadError => {
  const inner = new RpcRequestError({ body: {}, error: { code, message: 'no' }, url: 'http://node' });
  const cause = code === -32_602 ? new InvalidParamsRpcError(inner) : new ResourceNotFoundRpcError(inner);
  return new ChainReadError('rpc_rejected', 1, 'rejected', { cause });
};

/** A node that rejects block hashes in eth_call and has the given hash at block 7. */
function oldNode(hash: string) {
  const asked: (readonly [string, unknown])[] = [];
  const client: ChainClient = {
    chainId: 1,
    request: async <T>(method: string, params: readonly unknown[]): Promise<T> => {
      asked.push([method, params[1]]);
      if (method === 'eth_getBlockByNumber') return { hash } as T;
      if (typeof params[1] === 'object') throw rejected(-32_602);
      return '0xanswer' as T;
    },
  };
  return { client, asked };
}

describe('PinnedCall', () => {
  it('reads by number where hashes are not supported, and checks the hash afterwards', async () => {
    const { client, asked } = oldNode('0x77');
    const pinned = new PinnedCall(client);
    expect(await pinned.call(CALL, BLOCK)).toBe('0xanswer');
    expect(await pinned.call(CALL, BLOCK)).toBe('0xanswer');
    expect(asked.filter(([, block]) => typeof block === 'object')).toHaveLength(1);
  });

  it('throws block_gone when the hash at that number differs', async () => {
    const { client } = oldNode('0x88');
    await expect(new PinnedCall(client).call(CALL, BLOCK)).rejects.toMatchObject({ code: 'block_gone' });
  });

  it('throws block_gone when the node does not know the hash', async () => {
    const client: ChainClient = { chainId: 1, request: () => Promise.reject(rejected(-32_001)) };
    await expect(new PinnedCall(client).call(CALL, BLOCK)).rejects.toMatchObject({ code: 'block_gone' });
  });
});
