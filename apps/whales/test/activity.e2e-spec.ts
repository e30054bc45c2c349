import type { WhaleActivityItem, WhaleActivityList } from '@plimsoll/contracts';
import { readLatestHead } from '@plimsoll/evm';
import { createActivityReaders } from '@plimsoll/protocols';
import { waitFor } from '@plimsoll/testing';
import { ChainsService } from '../src/indexing/chains.service';
import { RangeReader } from '../src/indexing/range-reader';
import { type ChainFixture, startChain } from './chain-fixture';
import { type ExpectedMove, actor, playDay } from './scripted-day';
import { ServiceFixture } from './service-fixture';

jest.setTimeout(60_000);

let chain: ChainFixture;
let service: ServiceFixture;
let day: ExpectedMove[];

const listAll = async (query = '&minUsd=0'): Promise<WhaleActivityItem[]> => {
  const items: WhaleActivityItem[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const url: string = `/v1/whales/activity?limit=7${query}${cursor && `&cursor=${cursor}`}`;
    const { body }: { body: WhaleActivityList } = await service.get<WhaleActivityList>(url);
    items.push(...body.activity);
    cursor = body.nextCursor;
  }
  return items;
};

beforeAll(async () => {
  chain = await startChain();
  day = await playDay(chain);
  service = await ServiceFixture.create([chain.endpoint], chain.overlayPath, { STEP_BLOCKS: 10 });
  await service.start();
  await service.indexedTo(await chain.head());
});

afterAll(async () => {
  await service?.close();
  await chain?.close();
});

describe('GET /v1/whales/activity', () => {
  it('lists every action of the day once, with its wallet, asset and amount', async () => {
    const hashes = new Set(day.map(({ transactionHash }) => transactionHash));
    const found = (await listAll()).filter(({ transactionHash }) => hashes.has(transactionHash as never));
    const byHash = new Map(found.map((item) => [item.transactionHash, item]));
    const actual = day.map(({ transactionHash, amountRaw }) => {
      const item = byHash.get(transactionHash);
      return {
        transactionHash,
        protocol: item?.protocol,
        action: item?.action,
        wallet: item?.wallet.toLowerCase(),
        counterparty: item?.counterparty?.toLowerCase() ?? null,
        asset: item?.asset,
        amountRaw: amountRaw === null ? null : BigInt(item?.amountRaw ?? -1),
      };
    });
    expect(actual).toEqual(day);
    expect(found).toHaveLength(day.length);
  });

  it('lists newest first, and values a move at the price of its block', async () => {
    const items = await listAll();
    const blocks = items.map(({ block }) => block);
    expect(blocks).toEqual([...blocks].sort((a, b) => b - a));
    const liquidation = items.find(
      ({ action, protocol }) => action === 'liquidation' && protocol === 'aave-v3',
    );
    expect(liquidation).toMatchObject({ amount: 50_000, usdValue: 50_000, priceBasis: 'block' });
    const supply = items.find(
      ({ action, wallet, protocol }) =>
        action === 'supply' && protocol === 'aave-v3' && wallet.toLowerCase() === actor(1),
    );
    expect(supply).toMatchObject({ amount: 1_000, amountRaw: '1000000000000000000000', decimals: 18 });
  });

  it.each([
    [`&wallet=${actor(1)}`, (item: WhaleActivityItem) => item.wallet.toLowerCase() === actor(1)],
    ['&protocol=morpho-blue', (item: WhaleActivityItem) => item.protocol === 'morpho-blue'],
    ['&action=borrow', (item: WhaleActivityItem) => item.action === 'borrow'],
    ['&chain=1', (item: WhaleActivityItem) => item.chainId === 1],
    ['&minUsd=1000000', (item: WhaleActivityItem) => item.usdValue >= 1_000_000],
  ])('filters by %s', async (query, fits) => {
    const all = await listAll();
    const narrowed = await listAll(query.includes('minUsd') ? query : `${query}&minUsd=0`);
    expect(narrowed.map(({ id }) => id)).toEqual(all.filter(fits).map(({ id }) => id));
    expect(narrowed.length).toBeGreaterThan(0);
  });

  it('is empty for another chain and for a future time', async () => {
    expect(await listAll('&chain=10')).toEqual([]);
    expect(await listAll(`&since=${new Date(Date.now() + 86_400_000).toISOString()}`)).toEqual([]);
  });

  it('lists the moves above the threshold without minUsd', async () => {
    const { body } = await service.get<WhaleActivityList>('/v1/whales/activity?limit=200');
    expect(body.activity.every(({ usdValue }) => usdValue >= 10_000)).toBe(true);
    expect(body.activity.length).toBeGreaterThan(0);
  });

  it.each(['wallet=0x12', 'minUsd=-1', 'minUsd=', 'action=dance', 'since=soon', 'chain=x', 'cursor=%7B'])(
    '400 for %s',
    async (query) => expect((await service.get(`/v1/whales/activity?${query}`)).status).toBe(400),
  );
});

describe('a range of blocks', () => {
  it('returns the same for any partition of the requested addresses', async () => {
    const [access] = service.part(ChainsService).all();
    const { client, multicall, registry } = access!;
    const read = async (addressesPerCall?: number): Promise<string[]> => {
      const readers = createActivityReaders(registry, { client, multicall });
      const reader = new RangeReader(
        client,
        readers,
        addressesPerCall === undefined ? {} : { addressesPerCall },
      );
      const head = await readLatestHead(client);
      await reader.open(head);
      const { activities } = await reader.read(0n, head.number, head);
      return activities.map(({ id }) => id);
    };
    const whole = await read();
    expect(whole.length).toBeGreaterThanOrEqual(day.length);
    expect(await read(2)).toEqual(whole);
  });
});

describe('whale.v1', () => {
  it('publishes each move above the threshold once, keyed by its wallet', async () => {
    const { body } = await service.get<WhaleActivityList>('/v1/whales/activity?limit=200');
    await waitFor(() => service.events.length >= body.activity.length, { message: 'all are published' });
    const published = service.events.map(({ value }) => value?.activityId).sort();
    expect(published).toEqual(body.activity.map(({ id }) => id).sort());
    expect(
      service.events.every(({ key, value }) => key === value?.wallet && value.status === 'observed'),
    ).toBe(true);
  });
});
