import { fork } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startKafka, startPostgres, workspaceRoot } from '@plimsoll/local-parts';
import { preload } from './preload';
import { TOPICS, type ContenderName, type Measurement, type Settings } from './types';

export const description =
  'our transport against plain kafkajs eachBatch and ServerKafka [--topic T] [--messages N] [--rounds N]';

const CONTENDERS: ContenderName[] = ['plainEachBatch', 'ours', 'oursWithInbox', 'serverKafka'];
const REQUIRED = { oursToPlainEachBatch: 0.6, oursToServerKafka: 3 };
const RUN_TIMEOUT_MS = 180_000;
/** ServerKafka gets only a part of the messages, because it is slower by an order of magnitude. */
const SERVER_KAFKA_SHARE = 0.3;

/** Starts its own Kafka and Postgres, fills one topic, and lets each contender read it, taking turns. */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      topic: { type: 'string', default: 'wallet.v1' },
      messages: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '3' },
    },
  });
  const messages = Number(values.messages);
  const rounds = Number(values.rounds);
  const topic = TOPICS.find((name) => name === values.topic);
  if (!topic) throw new Error(`--topic ${values.topic}: give one of ${TOPICS.join(', ')}`);
  const local = path.join(workspaceRoot(), '.local');
  await mkdir(local, { recursive: true });
  const folder = await mkdtemp(path.join(local, 'bench-kafka-'));
  const options = (name: string) => ({
    dataDir: path.join(folder, name),
    logFile: path.join(folder, `${name}.log`),
  });
  console.error('starting Kafka and Postgres');
  const started = await Promise.allSettled([
    startKafka(options('kafka')),
    startPostgres(options('postgres')),
  ]);
  try {
    const [kafka, postgres] = started.map((part) => {
      if (part.status === 'rejected') throw part.reason;
      return part.value;
    });
    if (!kafka || !postgres) throw new Error('Kafka and Postgres did not start');
    console.error(`writing ${messages} messages`);
    const bytesPerMessage = await preload([kafka.url], topic, messages);
    const base = { brokers: [kafka.url], databaseUrl: postgres.url, topic, messages };
    return summarise(await measure(base, rounds), { topic, messages, bytesPerMessage, rounds });
  } finally {
    await Promise.all(started.map((part) => (part.status === 'fulfilled' ? part.value.kill9() : undefined)));
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  base: Pick<Settings, 'brokers' | 'databaseUrl' | 'topic' | 'messages'>,
  rounds: number,
): Promise<Record<ContenderName, Measurement[]>> {
  const measured: Record<ContenderName, Measurement[]> = {
    plainEachBatch: [],
    ours: [],
    oursWithInbox: [],
    serverKafka: [],
  };
  // The broker's first group costs more than all others.
  await runContender('plainEachBatch', { ...base, messages: 1, groupId: 'bench-warm-up' });
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of CONTENDERS) {
      const share = name === 'serverKafka' ? SERVER_KAFKA_SHARE : 1;
      const messages = Math.ceil(base.messages * share);
      const settings: Settings = {
        ...base,
        messages,
        groupId: `bench-${name}-${round}`,
      };
      const measurement = await runContender(name, settings);
      measured[name].push(measurement);
      console.error(`round ${round} ${name}: ${JSON.stringify(measurement)}`);
    }
  }
  return measured;
}

/** Runs in a separate process, so that one contender's garbage does not affect another. */
async function runContender(name: ContenderName, settings: Settings): Promise<Measurement> {
  const child = fork(path.join(__dirname, 'contender.ts'), {
    execArgv: ['-r', '@swc-node/register'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    timeout: RUN_TIMEOUT_MS,
  });
  return new Promise<Measurement>((resolve, reject) => {
    child.once('message', (measurement) => resolve(measurement as Measurement));
    child.once('exit', (code, signal) => reject(new Error(`${name} ended with ${code ?? signal}`)));
    child.send({ name, settings });
  });
}

function summarise(
  measured: Record<ContenderName, Measurement[]>,
  about: { topic: string; messages: number; bytesPerMessage: number; rounds: number },
): object {
  const summary = (name: ContenderName) => ({
    inbox: name === 'oursWithInbox',
    messagesPerSecond: median(measured[name].map((run) => run.messagesPerSecond)),
    cpuUsPerMessage: median(measured[name].map((run) => run.cpuUsPerMessage)),
    rounds: measured[name],
  });
  const contenders = {
    plainEachBatch: summary('plainEachBatch'),
    ours: summary('ours'),
    oursWithInbox: summary('oursWithInbox'),
    serverKafka: summary('serverKafka'),
  };
  const ratio = (a: ContenderName, b: ContenderName) =>
    Number((contenders[a].messagesPerSecond / contenders[b].messagesPerSecond).toFixed(2));
  const ratios = {
    oursToPlainEachBatch: ratio('ours', 'plainEachBatch'),
    oursToServerKafka: ratio('ours', 'serverKafka'),
    oursWithInboxToPlainEachBatch: ratio('oursWithInbox', 'plainEachBatch'),
    oursWithInboxToServerKafka: ratio('oursWithInbox', 'serverKafka'),
  };
  const passed =
    ratios.oursToPlainEachBatch >= REQUIRED.oursToPlainEachBatch &&
    ratios.oursToServerKafka >= REQUIRED.oursToServerKafka;
  return {
    bench: 'kafka',
    ...about,
    node: process.version,
    contenders,
    ratios,
    required: REQUIRED,
    passed,
  };
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
