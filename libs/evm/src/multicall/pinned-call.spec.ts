import { InvalidParamsRpcError, numberToHex, ResourceNotFoundRpcError, RpcRequestError } from 'viem';
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

/** A node that rejects block hashes in eth_call, the first `rejections` of them. Its block N has the hash `hashOf(N)`. */
function oldNode(hashOf: (number: string) => string, rejections = Infinity) {
  let left = rejections;
  const asked: (readonly [string, unknown])[] = [];
  const client: ChainClient = {
    chainId: 1,
    request: async <T>(method: string, params: readonly unknown[]): Promise<T> => {
      asked.push([method, params[1]]);
      if (method === 'web3_clientVersion') return 'Geth/v1.16.0' as T;
      if (method === 'eth_getBlockByNumber') return { hash: hashOf(String(params[0])) } as T;
      if (typeof params[1] === 'object' && left-- > 0) throw rejected(-32_602);
      return '0xanswer' as T;
    },
  };
  return { client, asked };
}

/** A node that mines block 8 during the first call, and returns the result of that call from the state of block 8. */
function nodeThatMines(version: string | null) {
  const asked: string[] = [];
  const results = ['0xnext', '0xown'];
  const client: ChainClient = {
    chainId: 1,
    request: async <T>(method: string): Promise<T> => {
      asked.push(method);
      if (method === 'eth_call') return (results.shift() ?? '0xown') as T;
      if (method === 'eth_blockNumber') return '0x8' as T;
      if (version === null) throw rejected(-32_601);
      return version as T;
    },
  };
  return { client, asked };
}

describe('PinnedCall', () => {
  const blockAt = (number: bigint) => ({ number, hash: numberToHex(number), timestamp: 0n });
  const sentHashes = (asked: readonly (readonly [string, unknown])[]): number =>
    asked.filter(([, block]) => typeof block === 'object').length;

  it('reads by number where hashes are not supported, and checks the hash afterwards', async () => {
    const { client, asked } = oldNode((number) => number);
    const pinned = new PinnedCall(client);
    for (let number = 1n; number <= 5n; number += 1n)
      expect(await pinned.call(CALL, blockAt(number))).toBe('0xanswer');
    expect(sentHashes(asked)).toBe(3);
  });

  it('reads by hash again after the node rejected the hash of one block', async () => {
    const { client, asked } = oldNode((number) => number, 4);
    const pinned = new PinnedCall(client);
    await Promise.all([1, 2, 3, 4].map(() => pinned.call(CALL, blockAt(1n))));
    expect(await pinned.call(CALL, blockAt(2n))).toBe('0xanswer');
    expect(asked.at(-1)).toEqual(['eth_call', { blockHash: '0x2', requireCanonical: true }]);
    expect(sentHashes(asked)).toBe(5);
  });

  it('keeps to hashes when the node rejects the call itself with the same code', async () => {
    const asked: unknown[] = [];
    const client: ChainClient = {
      chainId: 1,
      request: async <T>(method: string, params: readonly unknown[]): Promise<T> => {
        if (method === 'web3_clientVersion') return 'Geth/v1.16.0' as T;
        asked.push(params[1]);
        const { data } = params[0] as { data: string };
        if (data === '0x99') throw rejected(-32_602);
        return '0xanswer' as T;
      },
    };
    const pinned = new PinnedCall(client);
    await expect(pinned.call({ ...CALL, data: '0x99' }, BLOCK)).rejects.toMatchObject({
      code: 'rpc_rejected',
    });
    expect(await pinned.call(CALL, BLOCK)).toBe('0xanswer');
    expect(asked.at(-1)).toEqual({ blockHash: BLOCK.hash, requireCanonical: true });
  });

  it('throws block_gone when the hash at that number differs', async () => {
    const { client } = oldNode(() => '0x88');
    await expect(new PinnedCall(client).call(CALL, BLOCK)).rejects.toMatchObject({ code: 'block_gone' });
  });

  it('throws block_gone when the node does not know the hash', async () => {
    const client: ChainClient = { chainId: 1, request: () => Promise.reject(rejected(-32_001)) };
    await expect(new PinnedCall(client).call(CALL, BLOCK)).rejects.toMatchObject({ code: 'block_gone' });
  });

  it.each([
    ['by hash', false],
    ['by number', true],
  ])('throws block_gone for error -32000 %s when the node has no state of the block', async (_how, isOld) => {
    const asked: string[] = [];
    const client: ChainClient = {
      chainId: 1,
      request: (method, params) => {
        asked.push(method);
        return Promise.reject(rejected(isOld && typeof params[1] === 'object' ? -32_602 : -32_000));
      },
    };
    await expect(new PinnedCall(client).call(CALL, BLOCK)).rejects.toMatchObject({ code: 'block_gone' });
    expect(asked.at(-1)).toBe('eth_getBalance');
  });

  it('throws rpc_rejected for error -32000 when the node has the state of the block', async () => {
    const client: ChainClient = {
      chainId: 1,
      request: <T>(method: string): Promise<T> =>
        method === 'eth_getBalance' ? Promise.resolve('0x0' as T) : Promise.reject(rejected(-32_000)),
    };
    await expect(new PinnedCall(client).call(CALL, BLOCK)).rejects.toMatchObject({ code: 'rpc_rejected' });
  });

  it('calls again on anvil when a block arrived meanwhile, because the first result may be of that one', async () => {
    const { client, asked } = nodeThatMines('anvil/v1.7.1');
    expect(await new PinnedCall(client).call(CALL, BLOCK)).toBe('0xown');
    expect(asked).toEqual(['eth_call', 'web3_clientVersion', 'eth_blockNumber', 'eth_call']);
  });

  it('calls once on anvil while the block is the newest', async () => {
    const { client, asked } = nodeThatMines('anvil/v1.7.1');
    const pinned = new PinnedCall(client);
    await pinned.call(CALL, BLOCK);
    asked.length = 0;
    await pinned.call(CALL, { ...BLOCK, number: 8n });
    expect(asked).toEqual(['eth_call', 'eth_blockNumber']);
  });

  it('calls once on anvil for a block that was not the newest before', async () => {
    const { client, asked } = nodeThatMines('anvil/v1.7.1');
    const pinned = new PinnedCall(client);
    await pinned.call(CALL, BLOCK);
    asked.length = 0;
    await pinned.call(CALL, BLOCK);
    expect(asked).toEqual(['eth_call']);
  });

  it('calls once on other nodes, and reads their version once', async () => {
    const { client, asked } = nodeThatMines('Geth/v1.16.0');
    const pinned = new PinnedCall(client);
    await pinned.call(CALL, BLOCK);
    await pinned.call(CALL, BLOCK);
    expect(asked).toEqual(['eth_call', 'web3_clientVersion', 'eth_call']);
  });

  it('calls once on a node that does not state its version', async () => {
    const { client, asked } = nodeThatMines(null);
    const pinned = new PinnedCall(client);
    await pinned.call(CALL, BLOCK);
    await pinned.call(CALL, BLOCK);
    expect(asked).toEqual(['eth_call', 'web3_clientVersion', 'eth_call']);
  });
});
