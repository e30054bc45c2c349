import { parseArgs } from 'node:util';
import { ensureDatabase } from '@plimsoll/local-parts';
import { startPublisher, testIdentityKeys } from '@plimsoll/testing';
import { percentile } from '../flow/percentile';
import { startBare } from './bare-contender';
import { startCentrifugo } from './centrifugo-contender';
import { type OurParts, startOurs } from './our-contender';
import { runLoad } from './run-load';
import { startStreamParts } from './stream-parts';
import { CONTENDERS, type Contender, type ContenderName, type Load, type Measurement } from './types';

export const description =
  'fan-out to 2,000 and 10,000 connections, against ws, Socket.IO and Centrifugo [--rounds N] [--seconds N] [--warm-up N] [--only a,b]';

const LOADS: readonly Omit<Load, 'seconds' | 'warmUpSeconds'>[] = [
  { connections: 2_000, messagesPerSecond: 20 },
  { connections: 10_000, messagesPerSecond: 2 },
];

/** Standard output is for the result alone. */
const progress = (line: string): void => console.error(line);

/** Starts its own Kafka, Postgres and Redis, and measures one contender after the other, taking turns. */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '8' },
      'warm-up': { type: 'string', default: '10' },
      only: { type: 'string', default: '' },
    },
  });
  const centrifugo = process.env['CENTRIFUGO_BIN'];
  if (!centrifugo) progress('CENTRIFUGO_BIN is not set: Centrifugo is left out. It names its binary.');
  const wanted =
    values.only === '' ? CONTENDERS : CONTENDERS.filter((each) => values.only.split(',').includes(each));
  const names = wanted.filter((name) => name !== 'centrifugo' || centrifugo);
  progress('starting Kafka, Postgres and Redis');
  const parts = await startStreamParts('streams');
  const { folder, kafka, postgres, redis } = parts;
  try {
    const start = async (name: ContenderName, connections: number, turn: string): Promise<Contender> => {
      if (name === 'centrifugo') return startCentrifugo(centrifugo ?? '', folder);
      if (name !== 'ours' && name !== 'oursSocketIo') return startBare(name);
      const log = { brokers: [kafka.url], topicPrefix: `${turn}.` };
      const database = new URL(postgres.url);
      database.pathname = turn.replaceAll('-', '_').toLowerCase();
      await ensureDatabase(postgres.url, database.pathname.slice(1));
      const publisher = await startPublisher(database.href, log);
      const own: OurParts = { ...log, redisUrl: redis.url, identityKeys: testIdentityKeys(), publisher };
      const contender = await startOurs(own, connections, name === 'oursSocketIo');
      const end = async (): Promise<void> => {
        await contender.end();
        await publisher.stop();
      };
      return { ...contender, end };
    };
    const results: { load: Load; measurements: Measurement[] }[] = [];
    for (const [at, shape] of LOADS.entries()) {
      const load = { ...shape, seconds: Number(values.seconds), warmUpSeconds: Number(values['warm-up']) };
      const measurements: Measurement[] = [];
      for (let round = 0; round < Number(values.rounds); round += 1) {
        for (const name of names) {
          const contender = await start(name, load.connections, `bench${at}-${round}-${name}`);
          try {
            const measurement = await runLoad(name, contender, load);
            progress(JSON.stringify({ connections: load.connections, round: round + 1, ...measurement }));
            measurements.push(measurement);
          } finally {
            await contender.end();
          }
        }
      }
      results.push({ load, measurements });
    }
    return { rounds: Number(values.rounds), loads: results.map(summarise) };
  } finally {
    await parts.stop();
  }
}

const FIGURES = [
  'deliveredPerSecond',
  'shareWithin250Ms',
  'p50Ms',
  'p99Ms',
  'cpuUsPerDelivery',
  'memoryKbPerConnection',
  'bytesPerMessage',
] as const;

function summarise({ load, measurements }: { load: Load; measurements: Measurement[] }): object {
  const medians = Object.fromEntries(
    [...new Set(measurements.map(({ contender }) => contender))].map((name) => {
      const own = measurements.filter(({ contender }) => contender === name);
      const median = (figure: (typeof FIGURES)[number]): number =>
        percentile(
          own.map((each) => each[figure]),
          0.5,
        );
      return [name, Object.fromEntries(FIGURES.map((figure) => [figure, median(figure)]))];
    }),
  ) as Partial<Record<ContenderName, Record<(typeof FIGURES)[number], number>>>;
  const ratio = (a: ContenderName, b: ContenderName): number | null => {
    const [ours, theirs] = [medians[a]?.cpuUsPerDelivery, medians[b]?.cpuUsPerDelivery];
    return ours && theirs ? Number((ours / theirs).toFixed(3)) : null;
  };
  return {
    load,
    medians,
    reach: {
      cpuToPrebuiltFrame: { value: ratio('ours', 'bareWsPrebuiltFrame'), atMost: 1.3 },
      cpuToBareWs: { value: ratio('ours', 'bareWsSharedBuffer'), atMost: 1 },
      socketIoToBareSocketIo: { value: ratio('oursSocketIo', 'bareSocketIo'), atMost: 1.2 },
      memoryKbPerConnection: { value: medians.ours?.memoryKbPerConnection ?? null, atMost: 12 },
      shareWithin250Ms: { value: medians.ours?.shareWithin250Ms ?? null, atLeast: 0.98 },
    },
  };
}
