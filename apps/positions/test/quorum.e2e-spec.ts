import type { PositionDetail, PositionList } from '@plimsoll/contracts';
import { SEED_PLANS, devnetAsset } from '@plimsoll/devnet';
import { type OwnPart, startOwnEvm, waitFor } from '@plimsoll/testing';
import { type Hex, numberToHex } from 'viem';
import { type ChainFixture, callNode, startChain } from './chain-fixture';
import { ServiceFixture, identityOf } from './service-fixture';

jest.setTimeout(60_000);

const DISAGREE = { protocol: 'aave-v3', chainId: 1, reason: 'nodes_disagree' };

describe('two nodes of which both must return the same', () => {
  let origin: ChainFixture;
  /** Two anvil processes with the chain of `origin`, and each with its own state. */
  let nodes: OwnPart[];
  let service: ServiceFixture;
  let seconds: number;
  const me = identityOf('enterprise');

  /** Both nodes mine the same block. Its header does not depend on the state, because both are forks. */
  async function mine(): Promise<number> {
    seconds += 1;
    for (const { url } of nodes) {
      await callNode(url, 'evm_setNextBlockTimestamp', [numberToHex(seconds)]);
      await callNode(url, 'evm_mine', []);
    }
    const [one, other] = await Promise.all(
      nodes.map(({ url }) =>
        callNode<{ number: Hex; hash: Hex }>(url, 'eth_getBlockByNumber', ['latest', false]),
      ),
    );
    expect(one).toMatchObject({ number: other!.number, hash: other!.hash });
    return Number(one!.number);
  }

  /** The contract of the price of WETH, and its slot. */
  const priceOfWeth = (): [string, Hex] => [
    devnetAsset(origin.addresses, 'WETH').aggregator,
    numberToHex(0n, { size: 32 }),
  ];
  /** One of the nodes has another price of WETH from now on. */
  async function setPriceOnOne(priceRaw: bigint): Promise<void> {
    const value = numberToHex(priceRaw, { size: 32 });
    await callNode(nodes[1]!.url, 'anvil_setStorageAt', [...priceOfWeth(), value]);
  }

  const addressOf = (index: number): string => origin.wallets[index]!.address;
  const list = async (index: number): Promise<PositionList> =>
    (await service.call<PositionList>('GET', `/v1/positions?wallet=${addressOf(index)}`, me)).body;

  const untilDisagreed = (): Promise<PositionList> =>
    waitFor(
      async () => {
        const response = await list(0);
        return response.unreadable.some(({ reason }) => reason === DISAGREE.reason) && response;
      },
      { message: 'the disagreement is shown' },
    );

  beforeAll(async () => {
    origin = await startChain(1, SEED_PLANS.slice(0, 2));
    const fork = { chainId: 1, extraArgs: ['--fork-url', origin.node.url] };
    nodes = await Promise.all([startOwnEvm(fork), startOwnEvm(fork)]);
    const { timestamp } = await callNode<{ timestamp: Hex }>(origin.node.url, 'eth_getBlockByNumber', [
      'latest',
      false,
    ]);
    seconds = Number(timestamp);
    const rpcUrl = nodes.map(({ url }) => url).join(',');
    service = await ServiceFixture.create([{ chainId: 1, rpcUrl, quorum: 2 }], origin.overlayPath);
    await service.start({ RPC_TIMEOUT_MS: 10_000 });
  }, 120_000);
  afterAll(async () => {
    await service?.close();
    await Promise.all((nodes ?? []).map((node) => node.dispose()));
    await origin?.close();
  }, 60_000);

  it('show a position while they agree, as unreadable with its last state while they do not, and again afterwards', async () => {
    const watched = addressOf(0);
    await service.call('POST', '/v1/wallets', me, { address: watched });
    const agreed = await service.waitForPosition(watched, () => true);
    const shown = await waitFor(
      async () => {
        const response = await list(0);
        return response.positions.length === 1 && response.positions[0]!.block === undefined && response;
      },
      { message: 'the position is read' },
    );
    expect(shown.unreadable).not.toContainEqual(DISAGREE);
    expect(shown.positions[0]!.verification).toBeDefined();

    // A new block of which one node has another state. Anvil reads older blocks from copies of their state.
    const price = BigInt(
      await callNode<Hex>(nodes[1]!.url, 'eth_getStorageAt', [...priceOfWeth(), 'latest']),
    );
    await setPriceOnOne((price * 9n) / 10n);
    const newer = await mine();
    expect(newer).toBeGreaterThan(agreed.block);
    const disagreed = await untilDisagreed();
    expect(disagreed.unreadable).toContainEqual(DISAGREE);
    const other = await list(1);
    expect(other.positions).toEqual([]);
    expect(other.unreadable).toContainEqual(DISAGREE);
    const { id, healthFactorRaw, block } = disagreed.positions[0]!;
    expect({ id, healthFactorRaw }).toEqual({
      id: agreed.id,
      healthFactorRaw: shown.positions[0]!.healthFactorRaw,
    });
    expect(block ?? disagreed.asOfBlock['1']).toBeLessThan(newer);
    const detail = await service.call<PositionDetail>('GET', `/v1/positions/${agreed.id}`, me);
    expect(detail).toMatchObject({ status: 200, body: { healthFactorRaw } });
    expect(detail.body.unreadable).toContainEqual(DISAGREE);
    const stored = await service.query<{ block: string }>('SELECT block FROM positions WHERE id = $1', [
      agreed.id,
    ]);
    expect(stored).toEqual([{ block: String(agreed.block) }]);
    expect(
      service.events.positions.filter(({ value }) => value?.wallet === watched.toLowerCase()),
    ).toHaveLength(1);

    await setPriceOnOne(price);
    await mine();
    await waitFor(async () => !(await list(0)).unreadable.some(({ reason }) => reason === DISAGREE.reason), {
      message: 'both agree again',
    });
    expect((await list(1)).positions).toHaveLength(1);
  });

  it('show everything as unreadable while they have different blocks', async () => {
    for (const [at, { url }] of nodes.entries()) {
      await callNode(url, 'evm_setNextBlockTimestamp', [numberToHex(seconds + 10 + at)]);
      await callNode(url, 'evm_mine', []);
    }
    const disagreed = await untilDisagreed();
    expect(disagreed.unreadable).toContainEqual(DISAGREE);
    expect(disagreed.chainStatus['1']).not.toBe('operational');
  });
});
