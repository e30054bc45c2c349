import { parseArgs } from 'node:util';
import { percentile, summary } from '../flow/percentile';
import { alertMessage } from './alert-messages';
import { type RawSender, startRaw } from './raw';
import { type Stand, startStand } from './stand';
import { publishSteadily } from './steady-load';
import { type Throughput, medians, throughput } from './throughput';

export const description =
  'webhook deliveries a second, CPU of each and time to receipt, against raw undici [--rounds N] [--events N] [--seconds N]';

const REACH = {
  cpuMs: 0.6,
  timesRaw: 6,
  perSecond: { toOne: 1_500, toFour: 2_200 },
  latencyMs: { p50: 8, p99: 20 },
};
const RATE_PER_SECOND = 200;
const TIMEOUT_MS = 120_000;

/** What was delivered, and raw requests right after it. */
interface BesideRaw {
  ours: Throughput;
  /** CPU of a raw request when as many go in the same time, milliseconds. */
  rawCpuMs: number;
}

interface Round {
  toOne: BesideRaw;
  toFour: BesideRaw;
  latencyMs: ReturnType<typeof summary>;
  /** CPU of a raw request when they go as fast as they can, milliseconds. */
  rawFlatOutCpuMs: number;
}

/** Its own Postgres and Kafka, the built service, and a receiver in another process, all on this machine. */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      events: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '20' },
    },
  });
  const events = Number(values.events);
  const seconds = Number(values.seconds);
  const stand = await startStand();
  const raw = startRaw(`${stand.receiver.url}/raw`, sampleBody());
  try {
    console.error('warming up');
    // Services and brokers run for days: what their machines compile at first is no part of a delivery’s cost.
    await throughput(stand, ['/warm-up'], events);
    await latency(stand, seconds);
    await raw.send(events);
    const rounds: Round[] = [];
    for (let at = 1; at <= Number(values.rounds); at += 1) {
      const round = await measureRound(stand, raw, events, seconds);
      rounds.push(round);
      console.error(`round ${at}: ${JSON.stringify(round)}`);
    }
    return summarise(rounds);
  } finally {
    raw.close();
    await stand.close();
  }
}

async function measureRound(stand: Stand, raw: RawSender, events: number, seconds: number): Promise<Round> {
  return {
    toOne: await besideRaw(stand, raw, ['/one'], events),
    toFour: await besideRaw(stand, raw, ['/a', '/b', '/c', '/d'], Math.ceil(events / 4)),
    latencyMs: await latency(stand, seconds),
    rawFlatOutCpuMs: (await raw.send(events)).cpuMs,
  };
}

/**
 * The same rate for both: the fewer requests go at a time, the more of its CPU each has for itself. Raw requests take four
 * times as much a request at 1,000 a second as when they go as fast as they can.
 */
async function besideRaw(
  stand: Stand,
  raw: RawSender,
  paths: readonly string[],
  events: number,
): Promise<BesideRaw> {
  const ours = await throughput(stand, paths, events);
  await stand.receiver.forget();
  return { ours, rawCpuMs: (await raw.send(ours.deliveries, ours.perSecond)).cpuMs };
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

/** Medians over the rounds. What the machine does meanwhile meets both sides of a ratio, which is taken within each round. */
function summarise(rounds: readonly Round[]): object {
  const load = (of: (round: Round) => BesideRaw): object => {
    const ratios = rounds.map((round) => of(round).ours.cpuMsPerDelivery.total / of(round).rawCpuMs);
    const toFlatOut = rounds.map((round) => of(round).ours.cpuMsPerDelivery.total / round.rawFlatOutCpuMs);
    return {
      ...medians(rounds.map((round) => of(round).ours)),
      rawCpuMsAtThisRate: median(
        rounds.map((round) => of(round).rawCpuMs),
        4,
      ),
      timesRaw: median(ratios, 2),
      timesRawByRound: ratios.map((ratio) => Number(ratio.toFixed(2))),
      timesRawFlatOut: median(toFlatOut, 2),
    };
  };
  const latencies = rounds.map(({ latencyMs }) => latencyMs);
  const p50s = latencies.map(({ p50 }) => p50);
  const p99s = latencies.map(({ p99 }) => p99);
  const flatOut = rounds.map(({ rawFlatOutCpuMs }) => rawFlatOutCpuMs);
  return {
    bench: 'webhooks',
    rounds: rounds.length,
    toOne: load(({ toOne }) => toOne),
    toFour: load(({ toFour }) => toFour),
    latencyAt200PerSecondMs: { p50: median(p50s, 1), p99: median(p99s, 1), byRound: latencies },
    rawFlatOutCpuMs: median(flatOut, 4),
    reach: REACH,
  };
}

function median(values: readonly number[], digits: number): number {
  return Number(percentile(values, 0.5).toFixed(digits));
}

/** Of the size that the service sends. */
function sampleBody(): string {
  return JSON.stringify({
    ...JSON.parse(String(alertMessage('acc_raw').value)),
    webhookId: 'wh_raw',
    event: 'raw',
  });
}
