import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { connectRedis } from '@plimsoll/service-kit';
import { testRedis } from '@plimsoll/testing';
import { RedisLimiter } from '../src/limits/redis-limiter';
import type { Verdict } from '../src/limits/verdict';

const SCRIPTS = 50;
const SUBJECT = { id: 'account:of-the-limiter', offsetMs: 0 };
const FIGURES = { perMinute: 1_000_000, perDay: null };

type Settle = (verdict: Verdict | Error) => void;

describe('RedisLimiter', () => {
  it('keeps no data of settled requests while others continue to arrive', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const { url, keyPrefix } = testRedis();
    const redis = connectRedis(url, 'test');
    await redis.connect();
    const limiter = new RedisLimiter(redis, keyPrefix, 5_000);
    const settled: WeakRef<Settle>[] = [];
    /** Two at a time, so that one always waits while the script of the other runs. */
    const keepTaking = (done: (held: number) => void): void => {
      const settle: Settle = (verdict) => {
        settled.push(new WeakRef(settle));
        expect(verdict).toMatchObject({ admitted: true });
        if (settled.length < SCRIPTS) keepTaking(done);
        else if (settled.length === SCRIPTS) {
          // A weakly referenced object lives to the end of its turn.
          setImmediate(() => {
            collectGarbage();
            done(settled.filter((each) => each.deref() !== undefined).length);
          });
        }
      };
      limiter.take(SUBJECT, FIGURES, settle);
    };
    const held = await new Promise<number>((resolve) => {
      keepTaking(resolve);
      setImmediate(() => setImmediate(() => keepTaking(resolve)));
    });
    redis.disconnect();
    expect(held).toBeLessThan(5);
  });
});
