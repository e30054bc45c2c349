import type { WhaleClusterAnswer, WhaleClusterList } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { type Address, encodeFunctionData, numberToHex, parseAbi, parseEther } from 'viem';
import { type ChainFixture, startChain } from './chain-fixture';
import { WETH, actor } from './scripted-day';
import { ServiceFixture } from './service-fixture';

jest.setTimeout(60_000);

const poolAbi = parseAbi([
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
]);
const wethAbi = parseAbi(['function mint(address account, uint256 value) returns (bool)']);
const spendAbi = parseAbi(['function approve(address spender, uint256 value) returns (bool)']);
const walletOf = (n: number): Address => `0x${(0xf0000 + n).toString(16).padStart(40, '0')}`;

describe('wallets that were funded only with the chain’s own coin', () => {
  let chain: ChainFixture;
  let service: ServiceFixture;
  const [funder, stranger] = [walletOf(1), walletOf(2)];
  const family = [3, 4, 5].map(walletOf);

  /** Sends from any address, which must have the needed balance. */
  async function send(from: Address, to: Address, data: `0x${string}`, value = 0n): Promise<void> {
    await chain.rpc.request('anvil_impersonateAccount', [from]);
    const call = { from, to, data, value: numberToHex(value), gas: numberToHex(600_000n) };
    const receipt = await chain.rpc.request<{ status: string }>('eth_sendTransactionSync', [call]);
    expect(receipt.status).toBe('0x1');
  }

  /** Makes its first transactions. Tokens are minted to it, which is not a transfer from a wallet. */
  async function supply(wallet: Address): Promise<void> {
    const { operator, pool } = chain.addresses;
    const weth = chain.token('WETH');
    await send(
      operator,
      weth,
      encodeFunctionData({ abi: wethAbi, functionName: 'mint', args: [wallet, 100n * WETH] }),
    );
    await send(
      wallet,
      weth,
      encodeFunctionData({ abi: spendAbi, functionName: 'approve', args: [pool, 100n * WETH] }),
    );
    const args = [weth, 100n * WETH, wallet, 0] as const;
    await send(wallet, pool, encodeFunctionData({ abi: poolAbi, functionName: 'supply', args }));
  }

  /** Supplies for wallets that never sent anything. */
  async function supplyFor(payer: Address, wallets: readonly Address[]): Promise<void> {
    for (const wallet of wallets) {
      const args = [chain.token('WETH'), 200n * WETH, wallet, 0] as const;
      await send(
        payer,
        chain.addresses.pool,
        encodeFunctionData({ abi: poolAbi, functionName: 'supply', args }),
      );
    }
  }

  beforeAll(async () => {
    chain = await startChain();
    for (const rich of [funder, stranger])
      await chain.rpc.request('anvil_setBalance', [rich, numberToHex(parseEther('100'))]);
    for (const wallet of family) {
      await send(funder, wallet, '0x', parseEther('2'));
      await chain.rpc.request('anvil_mine', ['0x3']);
    }
    for (const wallet of [...family, stranger]) await supply(wallet);
    // Larger wallets that never sent anything delay no others.
    await chain.fund('WETH', 1_000n * WETH, actor(7));
    await supplyFor(actor(7), [6, 7, 8, 9].map(walletOf));
    // Later dust of a stranger is not its first coin.
    for (const wallet of family) await send(stranger, wallet, '0x', parseEther('1'));
    service = await ServiceFixture.create([chain.endpoint], chain.overlayPath, {
      CLUSTER_INTERVAL_MS: 200,
      NATIVE_FUNDERS_A_ROUND: 2,
    });
    await service.start();
  });
  afterAll(async () => {
    await service?.close();
    await chain?.close();
  });

  it('are joined to their owner, a few at a time, without other wallets', async () => {
    const cluster = await waitFor(
      async () => {
        const { body } = await service.get<WhaleClusterList>('/v1/whales/clusters');
        const found = body.clusters.find(({ walletCount }) => walletCount === 4);
        return (
          found && (await service.get<WhaleClusterAnswer>(`/v1/whales/clusters/${found.id}`)).body.cluster
        );
      },
      { message: 'the funder and its three wallets are a cluster' },
    );
    const members = cluster.wallets.map(({ wallet }) => wallet.toLowerCase()).sort();
    expect(members).toEqual([funder, ...family].sort());
    expect(new Set(cluster.evidence.map(({ kind }) => kind))).toEqual(new Set(['first_funder']));
  });

  it('are read again after a reorg of the block that funded them, and deleted with their moves', async () => {
    const count = async (where: string): Promise<number> => {
      const { rows } = await service.pool.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM native_funders WHERE ${where}`,
      );
      return rows[0]!.count;
    };
    expect(await count('funder IS NOT NULL')).toBe(3);
    const { rows } = await service.pool.query<{ block: string }>(
      'SELECT min(block) AS block FROM native_funders WHERE funder IS NOT NULL',
    );
    const depth = (await chain.head()) - Number(rows[0]!.block) + 1;
    await chain.rpc.request('anvil_reorg', [depth, []]);
    await waitFor(async () => (await count('funder IS NOT NULL')) === 0, {
      message: 'facts from replaced blocks are withdrawn',
    });
  });
});
