import { percentile } from '../flow/percentile';
import { startTestBed, type BenchAccount, type TestBed } from '../webhooks/test-bed';
import { publishSteadily } from '../webhooks/steady-load';
import { rounded, type Scene } from './pairs';

const HEALTHY = { endpoints: 20, perSecond: 100 };
const HANGING = { path: '/hang/10000/x', perSecond: 60 };
const SILENT = { path: '/never/x', perSecond: 20 };
const TIMEOUT_MS = 60_000;
/** The limit of a healthy p99 beside the slow ones is the greater of these. */
const P99_BOUND = { times: 1.5, plusMs: 20 };

/**
 * Twenty healthy webhook endpoints beside one that hangs and one that never responds: pairs of runs without
 * and with the slow ones, one after the other, so that the machine's load affects both.
 */
export const slowEndpoints: Scene = async (pairs, seconds) => {
  const stand = await startTestBed();
  try {
    const healthy: BenchAccount[] = [];
    for (let i = 0; i < HEALTHY.endpoints; i += 1) healthy.push(await stand.register([`/healthy/${i}`]));
    await healthyLatency(stand, healthy, seconds);
    const p99 = { without: [] as number[], with: [] as number[] };
    const p50 = { without: [] as number[], with: [] as number[] };
    for (let pair = 1; pair <= pairs; pair += 1) {
      const without = await healthyLatency(stand, healthy, seconds);
      const beside = await besideSlow(stand, healthy, seconds);
      p50.without.push(rounded(percentile(without, 0.5)));
      p99.without.push(rounded(percentile(without, 0.99)));
      p50.with.push(rounded(percentile(beside, 0.5)));
      p99.with.push(rounded(percentile(beside, 0.99)));
      console.error(`pair ${pair}: p99 ${p99.without.at(-1)} ms without, ${p99.with.at(-1)} ms with`);
    }
    const [without, beside] = [percentile(p99.without, 0.5), percentile(p99.with, 0.5)];
    const boundMs = rounded(Math.max(P99_BOUND.times * without, without + P99_BOUND.plusMs));
    return {
      pairs,
      healthyMs: { p50, p99 },
      medianP99Ms: { without: rounded(without), with: rounded(beside) },
      boundMs,
      ratio: rounded(beside / without),
      passed: beside <= boundMs,
    };
  } finally {
    await stand.close();
  }
};

/** The time from each event's due time to its receipt, only of the healthy endpoints. */
async function healthyLatency(
  stand: TestBed,
  healthy: readonly BenchAccount[],
  seconds: number,
): Promise<number[]> {
  await stand.receiver.forget();
  const accountIds = healthy.map(({ accountId }) => accountId);
  const dueAtMs = await publishSteadily(stand, { perSecond: HEALTHY.perSecond, seconds, accountIds });
  for (;;) {
    const latencies = (await stand.receiver.arrivals()).flatMap(({ eventId, atMs }) => {
      const at = dueAtMs.get(eventId);
      return at === undefined ? [] : [atMs - at];
    });
    if (latencies.length >= dueAtMs.size) return latencies;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The slow ones start earlier, so that they use all their capacity before the healthy ones are measured. */
async function besideSlow(
  stand: TestBed,
  healthy: readonly BenchAccount[],
  seconds: number,
): Promise<number[]> {
  const slow = [await stand.register([HANGING.path]), await stand.register([SILENT.path])];
  const headStartSeconds = 2;
  const load = [HANGING, SILENT].map(({ perSecond }, i) =>
    publishSteadily(stand, {
      perSecond,
      seconds: headStartSeconds + seconds,
      accountIds: [slow[i]?.accountId ?? ''],
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, headStartSeconds * 1_000));
  const latencies = await healthyLatency(stand, healthy, seconds);
  await Promise.all(load);
  for (const account of slow) await stand.unregister(account);
  await stand.settled(TIMEOUT_MS);
  return latencies;
}
