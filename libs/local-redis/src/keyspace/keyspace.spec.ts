import fc from 'fast-check';
import { Keyspace } from './keyspace';

type Step =
  | { kind: 'put'; key: string; value: string; lifeMs: number | null }
  | { kind: 'expire'; key: string; lifeMs: number | null }
  | { kind: 'delete'; key: string }
  | { kind: 'wait'; ms: number }
  | { kind: 'sweep' };

const key = fc.constantFrom('a', 'b', 'c');
const lifeMs = fc.option(fc.integer({ min: -5, max: 50 }), { nil: null });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    key,
    value: fc.string(),
    lifeMs: fc.option(fc.integer({ min: 1, max: 50 }), { nil: null }),
  }),
  fc.record({ kind: fc.constant('expire' as const), key, lifeMs }),
  fc.record({ kind: fc.constant('delete' as const), key }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 40 }) }),
  fc.record({ kind: fc.constant('sweep' as const) }),
);

describe('Keyspace', () => {
  it('has the same values as a simple model with expiry times', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let nowMs = 1_000;
        const expired: string[] = [];
        const keyspace = new Keyspace((each) => expired.push(each));
        const model = new Map<string, { value: string; until: number }>();
        for (const each of steps) {
          for (const [name, { until }] of model) if (until <= nowMs) model.delete(name);
          if (each.kind === 'put') {
            keyspace.put(each.key, each.value, each.lifeMs === null ? null : nowMs + each.lifeMs);
            model.set(each.key, {
              value: each.value,
              until: each.lifeMs === null ? Infinity : nowMs + each.lifeMs,
            });
          } else if (each.kind === 'expire') {
            const until = each.lifeMs === null ? null : nowMs + each.lifeMs;
            expect(keyspace.expireAt(each.key, until, nowMs)).toBe(model.has(each.key));
            const held = model.get(each.key);
            if (held) held.until = until ?? Infinity;
          } else if (each.kind === 'delete') {
            expect(keyspace.delete(each.key, nowMs)).toBe(model.delete(each.key));
          } else if (each.kind === 'wait') nowMs += each.ms;
          else keyspace.removeExpired(nowMs, 10);
          for (const name of ['a', 'b', 'c']) {
            const held = model.get(name);
            expect(keyspace.get(name, nowMs)).toBe(held && held.until > nowMs ? held.value : undefined);
          }
        }
        // A key that was read after its expiry time is reported once for each expiry.
        expect([...keyspace.keys(nowMs)].length).toBe(keyspace.size);
      }),
    );
  });

  it('checks no more keys in one pass than its limit, and reaches all of them', () => {
    const expired: string[] = [];
    const keyspace = new Keyspace((each) => expired.push(each));
    for (let i = 0; i < 100; i += 1) keyspace.put(`stays ${i}`, '', 10_000);
    for (let i = 0; i < 50; i += 1) keyspace.put(`goes ${i}`, '', 10);
    for (let pass = 0; pass < 15; pass += 1) keyspace.removeExpired(20, 10);
    expect(expired).toHaveLength(50);
    expect(keyspace.size).toBe(100);
  });

  it('rejects a value of another type', () => {
    const keyspace = new Keyspace(() => undefined);
    keyspace.put('text', 'x', null);
    expect(() => keyspace.hash('text', 0)).toThrow('WRONGTYPE');
    expect(() => keyspace.sortedSetToChange('text', 0)).toThrow('WRONGTYPE');
  });
});
