import { parseArgs } from 'node:util';
import { percentile, summary } from '../flow/percentile';
import { alertMessage } from './alert-messages';
import { type RawSender, startRaw } from './raw';
import { type TestBed, startTestBed } from './test-bed';
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
/**
 * A delivery costs a third more in the first round than in the next, because the service and the broker still
 * compile.
 */
const WARM_UPS = 3;

/** The delivered requests, and the CPU of a raw request right before and after, milliseconds. */
interface BesideRaw {
  ours: Throughput;
  /** At full speed. The bar compares with this. */
  rawCpuMs: number;
  /** At the same rate as ours. */
  rawCpuMsAtThisRate: number;
}

interface Round {
  toOne: BesideRaw;
  toFour: BesideRaw;
  latencyMs: ReturnType<typeof summary>;
}

/**
 * Starts its own Postgres and Kafka, the built service, and a receiver in another process, all on this
 * machine.
 */
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
  const stand = await startTestBed();
  const raw = startRaw(`${stand.receiver.url}/raw`, sampleBody());
  try {
    console.error('warming up');
    // Services and brokers run for days, so their first compilation is not part of a delivery’s cost.
    for (let at = 0; at < WARM_UPS; at += 1) await throughput(stand, ['/warm-up'], events);
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

async function measureRound(stand: TestBed, raw: RawSender, events: number, seconds: number): Promise<Round> {
  return {
    toOne: await besideRaw(stand, raw, ['/one'], events),
    toFour: await besideRaw(stand, raw, ['/a', '/b', '/c', '/d'], events),
    latencyMs: await latency(stand, seconds),
  };
}

/**
 * The fewer raw requests run at the same time, the more CPU of the process each one uses. The result also
 * shows this at our rate.
 */
async function besideRaw(
  stand: TestBed,
  raw: RawSender,
  paths: readonly string[],
  events: number,
): Promise<BesideRaw> {
  const rawRequest = async (perSecond?: number): Promise<number> => {
    await stand.receiver.forget();
    return (await raw.send(events, perSecond)).cpuMs;
  };
  const before = await rawRequest();
  const ours = await throughput(stand, paths, Math.ceil(events / paths.length));
  const after = await rawRequest();
  return {
    ours,
    rawCpuMs: (before + after) / 2,
    rawCpuMsAtThisRate: await rawRequest(ours.perSecond),
  };
}

/** The time from an event's due time to the receipt of its request, at a steady rate. */
async function latency(stand: TestBed, seconds: number): Promise<ReturnType<typeof summary>> {
  const { accountId } = await stand.register(['/latency']);
  await stand.receiver.forget();
  const load = { perSecond: RATE_PER_SECOND, seconds, accountIds: [accountId] };
  const dueAtMs = await publishSteadily(stand, load);
  await stand.receiver.until(dueAtMs.size, TIMEOUT_MS);
  const arrivals = await stand.receiver.arrivals();
  return summary(arrivals.map(({ eventId, atMs }) => atMs - (dueAtMs.get(eventId) ?? atMs)));
}

/**
 * Medians over the rounds. The machine's other work affects both sides of a ratio, which is computed within
 * each round.
 */
function summarise(rounds: readonly Round[]): object {
  const load = (of: (round: Round) => BesideRaw): object => {
    const each = rounds.map(of);
    const ratios = each.map(({ ours, rawCpuMs }) => ours.cpuMsPerDelivery.total / rawCpuMs);
    const atThisRate = each.map(({ rawCpuMsAtThisRate }) => rawCpuMsAtThisRate);
    const ratiosAtThisRate = each.map(
      ({ ours }, at) => ours.cpuMsPerDelivery.total / (atThisRate[at] ?? NaN),
    );
    const raws = each.map(({ rawCpuMs }) => rawCpuMs);
    return {
      ...medians(each.map(({ ours }) => ours)),
      rawCpuMs: median(raws, 4),
      timesRaw: median(ratios, 2),
      timesRawByRound: ratios.map((ratio) => Number(ratio.toFixed(2))),
      atThisRate: { rawCpuMs: median(atThisRate, 4), timesRaw: median(ratiosAtThisRate, 2) },
    };
  };
  const latencies = rounds.map(({ latencyMs }) => latencyMs);
  const p50s = latencies.map(({ p50 }) => p50);
  const p99s = latencies.map(({ p99 }) => p99);
  return {
    bench: 'webhooks',
    rounds: rounds.length,
    toOne: load(({ toOne }) => toOne),
    toFour: load(({ toFour }) => toFour),
    latencyAt200PerSecondMs: { p50: median(p50s, 1), p99: median(p99s, 1), byRound: latencies },
    reach: REACH,
  };
}

function median(values: readonly number[], digits: number): number {
  return Number(percentile(values, 0.5).toFixed(digits));
}

/** A body of the size that the service sends. */
function sampleBody(): string {
  return JSON.stringify({
    ...JSON.parse(String(alertMessage('acc_raw').value)),
    webhookId: 'wh_raw',
    event: 'raw',
  });
}
