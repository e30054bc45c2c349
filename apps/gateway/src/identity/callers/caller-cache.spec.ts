import type { Caller } from './caller';
import { CallerCache } from './caller-cache';

const record = (accountId: string): Caller => ({
  keyId: 'key_1',
  accountId,
  tier: 'pro',
  scopes: [],
  expiresAtMs: null,
  authenticatedAt: null,
  isAboveCap: false,
  subject: { id: `account:${accountId}`, offsetMs: 0 },
  figures: { perMinute: 60, perDay: null },
});

function counted(response: (hash: string) => Promise<Caller | null>) {
  const asked: string[] = [];
  const cache = new CallerCache((hash) => {
    asked.push(hash);
    return response(hash);
  });
  return { cache, asked };
}

describe('CallerCache', () => {
  it('looks a key up once for all simultaneous requests, and again when it is old', async () => {
    const { cache, asked } = counted(async () => record('a'));
    const both = await Promise.all([cache.get('h', 0, 1_000), cache.get('h', 0, 1_000)]);
    expect(both).toEqual([record('a'), record('a')]);
    expect(cache.get('h', 999, 1_000)).toEqual(record('a'));
    expect(asked).toHaveLength(1);
    await cache.get('h', 1_000, 1_000);
    expect(asked).toHaveLength(2);
  });

  it('caches that a key is unknown', async () => {
    const { cache, asked } = counted(async () => null);
    await cache.get('h', 0, 1_000);
    expect(cache.get('h', 1, 1_000)).toBeNull();
    expect(asked).toHaveLength(1);
  });

  it('removes the keys of a changed account and no others', async () => {
    const { cache, asked } = counted(async (hash) => record(hash));
    await Promise.all([cache.get('a', 0, 1_000), cache.get('b', 0, 1_000)]);
    cache.forgetAccount('a');
    await cache.get('a', 1, 1_000);
    await cache.get('b', 1, 1_000);
    expect(asked).toEqual(['a', 'b', 'a']);
  });

  it('does not keep results that were read before a change', async () => {
    const responses: ((found: Caller) => void)[] = [];
    const { cache, asked } = counted(() => new Promise((resolve) => responses.push(resolve)));
    const first = cache.get('a', 0, 1_000);
    cache.forgetAccount('a');
    responses[0]?.(record('a'));
    await first;
    void cache.get('a', 1, 1_000);
    expect(asked).toEqual(['a', 'a']);
  });

  it('does not cache a failed lookup', async () => {
    const { cache, asked } = counted(() => Promise.reject(new Error('away')));
    await expect(cache.get('h', 0, 1_000)).rejects.toThrow('away');
    await expect(cache.get('h', 1, 1_000)).rejects.toThrow('away');
    expect(asked).toHaveLength(2);
  });

  it('bounds the lookups in progress', async () => {
    const { cache } = counted(() => new Promise(() => undefined));
    for (let i = 0; i < 1_000; i += 1) void cache.get(`h${i}`, 0, 1_000);
    await expect(cache.get('one more', 0, 1_000)).rejects.toMatchObject({ name: 'TooManyLookups' });
  });
});
