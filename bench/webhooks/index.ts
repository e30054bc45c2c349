import { parseArgs } from 'node:util';
import { summary } from '../flow/percentile';
import { alertMessage } from './alert-messages';
import { wallMs } from './clock';
import { measureRaw } from './raw';
import { startStand, type Stand } from './stand';
import { publishSteadily } from './steady-load';

export const description =
  'webhook deliveries a second, CPU of each and time to receipt, against raw undici [--events N] [--seconds N]';

const REACH = {
  cpuMs: 0.6,
  timesRaw: 6,
  perSecond: { toOne: 1_500, toFour: 2_200 },
  latencyMs: { p50: 8, p99: 20 },
};
const RATE_PER_SECOND = 200;
const TIMEOUT_MS = 120_000;

/** Its own Postgres and Kafka, the built service, and a receiver in another process, all on this machine. */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '20' },
    },
  });
  const events = Number(values.events);
  const stand = await startStand();
  try {
    console.error('warming up');
    // Services and brokers run for days: what their machines compile at first is no part of a delivery’s cost.
    await throughput(stand, ['/warm-up'], events);
    console.error('to one endpoint');
    const toOne = await throughput(stand, ['/one'], events);
    console.error('to four endpoints');
    const toFour = await throughput(stand, ['/a', '/b', '/c', '/d'], Math.ceil(events / 4));
    console.error(`at ${RATE_PER_SECOND} events a second`);
    const latencyMs = await latency(stand, Number(values.seconds));
    console.error('raw undici');
    const raw = await measureRaw(`${stand.receiver.url}/raw`, sampleBody(), events);
    const timesRaw = (cpuMs: number): number => rounded(cpuMs / raw.cpuMs, 1);
    return {
      bench: 'webhooks',
      toOne: { ...toOne, timesRaw: timesRaw(toOne.cpuMsPerDelivery.total) },
      toFour: { ...toFour, timesRaw: timesRaw(toFour.cpuMsPerDelivery.total) },
      latencyAt200PerSecondMs: latencyMs,
      rawUndici: { perSecond: raw.perSecond, cpuMsPerRequest: rounded(raw.cpuMs, 3) },
      reach: REACH,
    };
  } finally {
    await stand.close();
  }
}

interface Throughput {
  deliveries: number;
  /** From the first event published to the last request received. */
  perSecond: number;
  cpuMsPerDelivery: { total: number; service: number; postgres: number; kafka: number };
  transactionsPerDelivery: number;
  doubles: number;
}

async function throughput(stand: Stand, paths: readonly string[], events: number): Promise<Throughput> {
  const deliveries = events * paths.length;
  const { accountId } = await stand.register(paths);
  const messages = Array.from({ length: events }, () => alertMessage(accountId));
  await stand.receiver.forget();
  const [cpuBefore, transactionsBefore] = [await stand.cpuMs(), await transactions(stand)];
  const startedAtMs = wallMs();
  await stand.publisher.publish(messages);
  await stand.receiver.until(deliveries, TIMEOUT_MS);
  await stand.settled(TIMEOUT_MS);
  const [cpu, transactionsAfter] = [await stand.cpuMs(), await transactions(stand)];
  const arrivals = await stand.receiver.arrivals();
  const lastAtMs = arrivals.reduce((last, { atMs }) => Math.max(last, atMs), 0);
  const each = (part: keyof typeof cpu): number => rounded((cpu[part] - cpuBefore[part]) / deliveries, 3);
  const [service, postgres, kafka] = [each('service'), each('postgres'), each('kafka')];
  return {
    deliveries,
    perSecond: Math.round((deliveries / (lastAtMs - startedAtMs)) * 1_000),
    cpuMsPerDelivery: { total: rounded(service + postgres + kafka, 3), service, postgres, kafka },
    transactionsPerDelivery: rounded((transactionsAfter - transactionsBefore) / deliveries, 3),
    doubles: arrivals.length - new Set(arrivals.map(({ deliveryId }) => deliveryId)).size,
  };
}

/** From when an event is due to be published to the receipt of its request, at a steady rate. */
async function latency(stand: Stand, seconds: number): Promise<ReturnType<typeof summary>> {
  const { accountId } = await stand.register(['/latency']);
  await stand.receiver.forget();
  const load = { perSecond: RATE_PER_SECOND, seconds, accountIds: [accountId] };
  const dueAtMs = await publishSteadily(stand, load);
  await stand.receiver.until(dueAtMs.size, TIMEOUT_MS);
  const arrivals = await stand.receiver.arrivals();
  return summary(arrivals.map(({ eventId, atMs }) => atMs - (dueAtMs.get(eventId) ?? atMs)));
}

async function transactions({ pool }: Stand): Promise<number> {
  const { rows } = await pool.query<{ commits: number }>(
    'SELECT xact_commit::int AS commits FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.commits ?? 0;
}

/** Of the size that the service sends. */
function sampleBody(): string {
  return JSON.stringify({
    ...JSON.parse(String(alertMessage('acc_raw').value)),
    webhookId: 'wh_raw',
    event: 'raw',
  });
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
