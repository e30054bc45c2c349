import {
  Multicall,
  type RawPosition,
  createChainClient,
  createReaders,
  loadRegistry,
  readLatestHead,
} from '@plimsoll/chain';
import { type ExecutionAnswer, positionId } from '@plimsoll/contracts';
import type { SeededWallet } from '@plimsoll/devnet';
import type { Address, Hex } from 'viem';
import { ExecutionHarness } from './execution-harness';
import { type LocalMarket, startMarket } from './local-market';
import { sendBuilt } from './send-built';

const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
let market: LocalMarket;
let service: ExecutionHarness;

beforeAll(async () => {
  market = await startMarket(undefined, { others: true });
  service = await ExecutionHarness.start(market);
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await market?.close();
});

/** Borrowers of a protocol as the readers see them now; sub-ids are those that Morpho's logs name. */
async function positionsOn(protocol: string): Promise<RawPosition[]> {
  const client = createChainClient({ chainId: 1, rpcUrl: market.node.url });
  const index = {
    subIdsOf: async (
      _row: unknown,
      source: { entriesOf: (log: never) => readonly { wallet: Address; subId: string }[] },
      wallets: readonly Address[],
    ) => {
      const logs = await client.request<{ address: Address; topics: Hex[]; data: Hex }[]>('eth_getLogs', [
        { fromBlock: '0x0', toBlock: 'latest' },
      ]);
      const entries = logs
        .filter(({ topics }) => topics.length === 4)
        .flatMap((log) => {
          const found = source.entriesOf(log as never);
          return found.filter(({ wallet }) => wallets.includes(wallet));
        });
      const by = new Map<Address, string[]>();
      for (const { wallet, subId } of entries)
        by.set(wallet, [...new Set([...(by.get(wallet) ?? []), subId])]);
      return by;
    },
  };
  const registry = await loadRegistry(market.overlayPath);
  const multicall = new Multicall(client, MULTICALL3);
  const reader = createReaders(registry, { client, multicall, index: index as never }).find(
    ({ row }) => row.protocol === protocol,
  )!;
  const wallets = market.wallets.map(({ address }) => address.toLowerCase() as Address);
  const { positions, unreadable } = await reader.readPositions(wallets, await readLatestHead(client));
  expect(unreadable).toEqual([]);
  return positions.filter(({ healthFactorRaw }) => healthFactorRaw !== null);
}

const keyOf = ({ wallet }: RawPosition): SeededWallet =>
  market.wallets.find(({ address }) => address.toLowerCase() === wallet)!;

/** Builds for a position, sends what was built, and gives how far the result is from target and prediction. */
async function carryOut(position: RawPosition, target: number, over: object = {}) {
  const { protocol, chainId, market: name, wallet, subId } = position;
  const id = positionId(position);
  service.upstream.places.set(id, {
    id,
    protocol,
    chainId,
    market: name,
    wallet,
    ...(subId !== '' && { subId }),
  });
  const body = { positionId: id, targetHealthFactor: target, mode: 'build', ...over };
  const answer = await service.call<ExecutionAnswer>('POST', '/v1/execution/deleverage', body);
  if (answer.status !== 202) return answer.body.errors?.[0]?.code;
  const { execution } = answer.body;
  await sendBuilt(market, keyOf(position).privateKey, execution.transactions);
  const after = (await positionsOn(protocol)).find((each) => positionId(each) === id);
  const reached = Number(after!.healthFactorRaw) / 1e18;
  expect(Math.abs(reached / target - 1)).toBeLessThan(1e-3);
  expect(Math.abs(reached / execution.predictedHealthFactor! - 1)).toBeLessThan(1e-6);
  return 'done';
}

const healthFactor = ({ healthFactorRaw }: RawPosition): number => Number(healthFactorRaw) / 1e18;

describe.each(['morpho-blue', 'venus'])('%s', (protocol) => {
  it('repay_debt ends at its target and its prediction', async () => {
    const positions = await positionsOn(protocol);
    expect(positions.length).toBeGreaterThan(10);
    for (const position of positions.slice(0, 8)) {
      for (const leg of position.legs.filter(({ side }) => side === 'debt'))
        await market.mint(leg.symbol, position.wallet, leg.amountRaw);
      expect(await carryOut(position, Math.round(healthFactor(position) * 1_300) / 1_000)).toBe('done');
    }
  }, 180_000);

  it('sell_collateral does the same, or is refused where the protocol does not let so much out', async () => {
    const positions = await positionsOn(protocol);
    const done: unknown[] = [];
    for (const position of positions.filter((each) => healthFactor(each) > 1.2).slice(0, 8)) {
      const over = { strategy: 'sell_collateral', maxSlippageBps: 100 };
      done.push(await carryOut(position, Math.round(healthFactor(position) * 1_100) / 1_000, over));
    }
    expect(done.filter((each) => each === 'done').length).toBeGreaterThan(3);
    expect(done.every((each) => each === 'done' || each === 'simulation_reverted')).toBe(true);
  }, 180_000);
});
