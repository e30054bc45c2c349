import { fork } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedKafka, startKafka, workspaceRoot, type RunningPart } from '@plimsoll/local-parts';
import { preload } from '../kafka/preload';
import {
  makeTopic,
  BROKERS,
  CLIENTS,
  TASKS,
  type BrokerName,
  type ClientName,
  type Measurement,
  type Settings,
  type TaskName,
} from './types';

export const description =
  'kafkajs against @platformatic/kafka, on Kafka and on the embedded broker [--messages N] [--rounds N]';

/** The topic of the consumers. Its messages are those of `npm run bench -- kafka`. */
const TOPIC = 'wallet.v1';
const SINGLE_SHARE = 0.01;
const RUN_TIMEOUT_MS = 120_000;

interface Run {
  broker: BrokerName;
  client: ClientName;
  task: TaskName;
  measurement: Measurement;
}

/** Starts both brokers, and lets the clients take turns at each task on each of them. */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      messages: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '3' },
    },
  });
  const messages = Number(values.messages);
  const rounds = Number(values.rounds);
  const local = path.join(workspaceRoot(), '.local');
  await mkdir(local, { recursive: true });
  const folder = await mkdtemp(path.join(local, 'bench-kafka-clients-'));
  const options = (name: string) => ({
    dataDir: path.join(folder, name),
    logFile: path.join(folder, `${name}.log`),
  });
  const parts: RunningPart[] = [];
  try {
    const genuine = await startKafka(options('genuine'));
    parts.push(genuine);
    const embedded = await startEmbeddedKafka(options('embedded'));
    parts.push(embedded);
    const addresses = { genuine: genuine.url, embedded: embedded.url };
    let bytesPerMessage = 0;
    for (const broker of BROKERS) bytesPerMessage = await preload([addresses[broker]], TOPIC, messages);
    const runs = await measureAll(addresses, messages, rounds);
    return {
      bench: 'kafka-clients',
      node: process.version,
      messages,
      rounds,
      bytesPerMessage,
      ...summarise(runs),
    };
  } finally {
    await Promise.all(parts.map((part) => part.kill9()));
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureAll(
  addresses: Record<BrokerName, string>,
  messages: number,
  rounds: number,
): Promise<Run[]> {
  const runs: Run[] = [];
  // Round 0 warms the brokers up and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const task of TASKS) {
      for (const broker of BROKERS) {
        for (const client of round % 2 === 0 ? CLIENTS : CLIENTS.toReversed()) {
          const name = `${task}-${client}-${round}`;
          const topic = task === 'consume' ? TOPIC : name;
          if (topic !== TOPIC) await makeTopic(addresses[broker], topic);
          const count = task === 'single' ? Math.ceil(messages * SINGLE_SHARE) : messages;
          const settings = { client, task, broker: addresses[broker], topic, groupId: name, messages: count };
          const measurement = await measure(settings);
          console.error(`round ${round} ${broker} ${client} ${task}: ${JSON.stringify(measurement)}`);
          if (round > 0) runs.push({ broker, client, task, measurement });
        }
      }
    }
  }
  return runs;
}

/** Runs in a separate process, so that one client's garbage does not affect another. */
async function measure(settings: Settings): Promise<Measurement> {
  const child = fork(path.join(__dirname, 'contender.ts'), {
    execArgv: ['-r', '@swc-node/register'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    timeout: RUN_TIMEOUT_MS,
  });
  return new Promise<Measurement>((resolve, reject) => {
    child.once('message', (measurement) => resolve(measurement as Measurement));
    child.once('exit', (code, signal) =>
      reject(new Error(`${settings.client} ${settings.task} ended with ${code ?? signal}`)),
    );
    child.send(settings);
  });
}

/** The median of each figure, and how many times the throughput and the CPU of kafkajs @platformatic/kafka has. */
function summarise(runs: readonly Run[]): object {
  const of = (broker: BrokerName, task: TaskName, client: ClientName) => {
    const own = runs
      .filter((each) => each.broker === broker && each.task === task && each.client === client)
      .map(({ measurement }) => measurement);
    const figure = (name: keyof Measurement): number => median(own.map((each) => each[name] ?? NaN));
    return {
      messagesPerSecond: figure('messagesPerSecond'),
      cpuUsPerMessage: figure('cpuUsPerMessage'),
      maxRssMb: figure('maxRssMb'),
      ...(task === 'single' ? { p50Ms: figure('p50Ms'), p99Ms: figure('p99Ms') } : {}),
    };
  };
  const results: Record<string, Record<string, object>> = {};
  for (const broker of BROKERS) {
    const tasks: Record<string, object> = {};
    results[broker] = tasks;
    for (const task of TASKS) {
      const kafkajs = of(broker, task, 'kafkajs');
      const platformatic = of(broker, task, 'platformatic');
      const ratio = (name: 'messagesPerSecond' | 'cpuUsPerMessage' | 'maxRssMb'): number =>
        Number((platformatic[name] / kafkajs[name]).toFixed(2));
      tasks[task] = {
        kafkajs,
        platformatic,
        platformaticToKafkajs: {
          throughput: ratio('messagesPerSecond'),
          cpu: ratio('cpuUsPerMessage'),
          memory: ratio('maxRssMb'),
        },
      };
    }
  }
  return { results, runs };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
