import { parseArgs } from 'node:util';
import { startPublisher, testIdentityKeys } from '@plimsoll/testing';
import { startInstance } from '../../apps/streams/test/recovery/instances';
import { Scenario } from '../../apps/streams/test/recovery/scenario';
import { startStreamParts } from '../streams/stream-parts';

export const description =
  'what stream subscribers lose or get twice: kill -9, rolling restart, inside and past the window [--subscribers N] [--eventsPerSecond N] [--windowMinutes N] [--insideMinutes N] [--only kill,inside,past]';

const MINUTE_MS = 60_000;

/** Starts its own parts and two instances of the built service. */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      subscribers: { type: 'string', default: '500' },
      eventsPerSecond: { type: 'string', default: '100' },
      windowMinutes: { type: 'string', default: '10' },
      insideMinutes: { type: 'string', default: '9' },
      only: { type: 'string', default: 'kill,inside,past' },
    },
  });
  const windowMs = Number(values.windowMinutes) * MINUTE_MS;
  const parts = await startStreamParts('recovery');
  const { kafka, postgres, redis } = parts;
  const identityKeys = testIdentityKeys();
  const env = {
    LOG_LEVEL: 'error',
    IDENTITY_KEYS_FOLDER: identityKeys,
    KAFKA_BROKERS: kafka.url,
    REDIS_URL: redis.url,
    RECONNECT_SPREAD_MS: '0',
    RESUME_WINDOW_MS: String(windowMs),
  };
  const publisher = await startPublisher(postgres.url, { brokers: [kafka.url], topicPrefix: '' });
  const instances = await Promise.all([startInstance(env), startInstance(env)]);
  const scenario = (seed: number): Scenario =>
    new Scenario({
      subscribers: Number(values.subscribers),
      eventsPerSecond: Number(values.eventsPerSecond),
      identityKeys,
      publisher,
      instances,
      seed,
      report: (line) => console.error(line),
    });
  const runs: Record<string, () => Promise<object>> = {
    kill: async () => {
      const each = scenario(1);
      await each.begin();
      await each.killOne();
      await instances[0]?.start();
      await each.restartEach();
      return each.verdict();
    },
    inside: async () => {
      const each = scenario(2);
      await each.begin();
      await each.stayDisconnected(Number(values.insideMinutes) * MINUTE_MS);
      return each.verdict();
    },
    past: async () => {
      const each = scenario(3);
      await each.begin();
      return each.reconnectTooLate(windowMs + MINUTE_MS);
    },
  };
  try {
    const results: Record<string, object> = {};
    for (const name of values.only.split(',')) {
      const work = runs[name];
      if (!work) throw new Error(`--only ${name}: give some of ${Object.keys(runs).join(', ')}`);
      results[name] = await work();
      console.error(JSON.stringify({ [name]: results[name] }));
    }
    return { windowMinutes: Number(values.windowMinutes), ...results };
  } finally {
    await Promise.all(instances.map((instance) => instance.end('SIGKILL')));
    await publisher.stop().catch(() => undefined);
    await parts.stop();
  }
}
