import type { WhaleActivityList } from '@plimsoll/contracts';
import { ActivityCleaner } from '../src/activity/activity-cleaner';
import { writeMoves } from './sample-moves';
import { ServiceFixture } from './service-fixture';

jest.setTimeout(60_000);

const [young, old] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
let service: ServiceFixture;

beforeAll(async () => {
  service = await ServiceFixture.create([], '', { ACTIVITY_DAYS: 30 });
  await service.start();
});

afterAll(() => service?.close());

const count = async (from: string): Promise<number> => {
  const { rows } = await service.pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`);
  return rows[0]!.count;
};

describe('the list by value', () => {
  it('has the same moves below, at and between the values that have a separate index', async () => {
    const values = [9_999, 10_000, 99_999, 100_000, 500_000, 1_000_000, 9_000_000, 10_000_000, 20_000_000];
    await writeMoves(
      service.pool,
      values.map((usd, at) => ({ wallet: young, block: at, usd })),
    );
    for (const minUsd of [...values, 1, 150_000, 30_000_000]) {
      const url = `/v1/whales/activity?minUsd=${minUsd}`;
      const { body } = await service.get<WhaleActivityList>(url);
      expect(body.activity.map(({ usdValue }) => usdValue).sort((a, b) => a - b)).toEqual(
        values.filter((usd) => usd >= minUsd),
      );
    }
  });
});

describe('moves past their retention', () => {
  it('are deleted, with the data of wallets that have no other move', async () => {
    await service.pool.query('DELETE FROM activity');
    const many = Array.from({ length: 5_001 }, (_, at) => ({ wallet: old, block: at, daysAgo: 31 }));
    await writeMoves(service.pool, [...many, { wallet: young, block: 1, daysAgo: 29 }]);
    await service.pool.query(
      `INSERT INTO scanned_wallets (chain_id, wallet, block) SELECT 1, wallet, 9 FROM unnest($1::text[]) AS wallet`,
      [[young, old]],
    );
    await service.pool.query(
      `INSERT INTO transfers (chain_id, block_hash, log_index, block, token, sender, recipient, usd)
       SELECT 1, '0xb', at, 1, '0xa', 'sender', wallet, 1 FROM unnest($1::text[]) WITH ORDINALITY AS one (wallet, at)`,
      [[young, old, old]],
    );
    const cleaner = service.part(ActivityCleaner);
    expect(await cleaner.clean()).toBe(true);
    expect(await count('activity')).toBe(2);
    expect(await cleaner.clean()).toBe(false);
    expect(await cleaner.clean()).toBe(false);
    expect(await count('activity')).toBe(1);
    expect(await count(`scanned_wallets WHERE wallet = '${young}'`)).toBe(1);
    expect(await count('scanned_wallets')).toBe(1);
    expect(await count('transfers')).toBe(1);
  });
});
