import { type ChainClient, ChainReadError, createChainClient, readLatestHead } from '@plimsoll/evm';
import { type Address, type Hex, RpcRequestError, encodeFunctionData, parseAbi } from 'viem';
import { SimulatedChain } from '../src/chains/simulated-chain';
import { type LocalMarket, startMarket } from './local-market';

const abi = parseAbi([
  'function mint(address account, uint256 value) returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
]);
const WALLET: Address = `0x${'a'.repeat(40)}`;
const OTHER: Address = `0x${'b'.repeat(40)}`;

let market: LocalMarket;

beforeAll(async () => {
  market = await startMarket([]);
}, 120_000);

afterAll(() => market?.close());

/** A client whose node returns an error code for a method, like one that lacks it. */
const without = (client: ChainClient, missing: string, code: number): ChainClient => ({
  chainId: client.chainId,
  request: (method, params) => {
    if (method !== missing) return client.request(method, params);
    const error = { code, message: 'no such method' };
    const cause = new RpcRequestError({ body: {}, error, url: '' });
    return Promise.reject(new ChainReadError('rpc_rejected', client.chainId, 'refused', { cause }));
  },
});

describe.each([
  ['eth_simulateV1', (client: ChainClient) => client],
  ['a batch in eth_call', (client: ChainClient) => without(client, 'eth_simulateV1', -32_601)],
  [
    'a batch, the method known and switched off',
    (client: ChainClient) => without(client, 'eth_simulateV1', -32_004),
  ],
])('SimulatedChain by %s', (_name, over) => {
  const chainOf = async (calls: { data: Hex }[]) => {
    const client = over(createChainClient({ chainId: 1, rpcUrl: market.node.url }));
    const to = market.token('USDC');
    const planned = calls.map(({ data }) => ({ description: 'call', to, data, value: 0n }));
    return new SimulatedChain(client, await readLatestHead(client), WALLET, planned);
  };
  const mint = { data: encodeFunctionData({ abi, functionName: 'mint', args: [WALLET, 100n] }) };
  const give = (amount: bigint) => ({
    data: encodeFunctionData({ abi, functionName: 'transfer', args: [OTHER, amount] }),
  });
  const balanceOf = async (chain: ChainClient): Promise<bigint> => {
    const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [OTHER] });
    return BigInt(await chain.request<Hex>('eth_call', [{ to: market.token('USDC'), data }, 'latest']));
  };

  it('reads the state after each of the calls, and leaves the chain unchanged', async () => {
    const chain = await chainOf([mint, give(30n), give(25n)]);
    expect(await balanceOf(chain)).toBe(55n);
    expect(chain.results.map(({ success }) => success)).toEqual([true, true, true]);
    for (const { gasUsed } of chain.results) {
      expect(gasUsed).toBeGreaterThan(21_000n);
      expect(gasUsed).toBeLessThan(120_000n);
    }
    expect(await balanceOf(createChainClient({ chainId: 1, rpcUrl: market.node.url }))).toBe(0n);
  });

  it('reports the call that reverts, and the reason', async () => {
    const chain = await chainOf([mint, give(101n)]);
    const results = await chain.run();
    expect(results.map(({ success }) => success)).toEqual([true, false]);
    expect(Buffer.from(results[1]!.data.slice(2), 'hex').toString()).toContain('exceeds balance');
  });

  it('a wallet with its own code can call too', async () => {
    await market.rpc.request('anvil_setCode', [WALLET, '0x00']);
    const chain = await chainOf([mint, give(10n)]);
    expect(await balanceOf(chain)).toBe(10n);
    await market.rpc.request('anvil_setCode', [WALLET, '0x']);
  });
});
