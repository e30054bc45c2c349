import path from 'node:path';
import { seededRandom } from '@plimsoll/devnet';
import { percentile } from '../../../bench/flow/percentile';
import { type Attack, type Check, check } from '../attack';
import type { Sent } from '../client';
import type { Target } from '../target';
import { Callers } from './callers';
import { type HostileRequest, hostileRequests } from './hostile-requests';
import { flatMemory, memoryOf } from './memory';
import { type FuzzedOperation, documentedOperations } from './operations';
import { Tally } from './tally';

const ROOT = path.join(__dirname, '../../..');
const REQUESTS = { full: 200, short: 12 };
/** Each of these ends the session, so that the next one needs another log-in. */
const FEW: Record<string, number> = { logOut: 10 };
/** A slow request is repeated, because other programs of the machine take time too. The median counts. */
const REPETITIONS = 4;
/** The smallest share of the requests that the operations themselves must have read. */
const LEAST_VALIDATED = 0.7;
const PROGRESS_EVERY = 10;

export const fuzz: Attack = {
  item: 'fuzz',
  title: 'no hostile input causes a 5xx, a slow response, or growing memory',
  limitSeconds: 1_200,
  async run(target) {
    const operations = documentedOperations(ROOT).filter((each) => each.path.includes(target.route));
    const callers = await Callers.create(target);
    const random = seededRandom(target.seed);
    const tallies = operations.map(
      ({ method, path: route }) => new Tally(`${method} ${route}`, target.limitMs),
    );
    const requests = operations.map((each, at) => requestsOf(target, callers, each, at, random));
    try {
      const start = await memoryOf(target);
      await sendHalf(target, callers, operations, requests, tallies, 0);
      const half = await memoryOf(target);
      await sendHalf(target, callers, operations, requests, tallies, 1);
      const end = await memoryOf(target);
      return [...tallies.map((each) => each.toCheck()), ...flatMemory(start, half, end), total(tallies)];
    } finally {
      await callers.stop();
    }
  },
};

function requestsOf(
  { isShort }: Target,
  callers: Callers,
  operation: FuzzedOperation,
  serial: number,
  random: () => number,
): HostileRequest[] {
  const { id, bodyExample } = operation;
  const example = bodyExample && callers.withRecords(bodyExample, serial);
  const count = Math.min(FEW[id] ?? Infinity, isShort ? REQUESTS.short : REQUESTS.full);
  return hostileRequests({ ...operation, bodyExample: example }, callers.records, count, random);
}

/** Sends the first or second half of the requests to every operation, one after the other. */
async function sendHalf(
  target: Target,
  callers: Callers,
  operations: readonly FuzzedOperation[],
  requests: readonly (readonly HostileRequest[])[],
  tallies: readonly Tally[],
  half: 0 | 1,
): Promise<void> {
  for (const [at, operation] of operations.entries()) {
    const all = requests[at]!;
    const middle = Math.ceil(all.length / 2);
    for (const request of half === 0 ? all.slice(0, middle) : all.slice(middle)) {
      await attack(target, callers, operation, request, tallies[at]!);
    }
    if ((at + 1) % PROGRESS_EVERY === 0) {
      const sent = tallies.reduce((sum, each) => sum + each.sent, 0);
      target.progress(`half ${half + 1}: ${at + 1} of ${operations.length} operations, ${sent} requests`);
    }
  }
}

async function attack(
  { limitMs }: Target,
  callers: Callers,
  { access, method }: FuzzedOperation,
  { path: route, bytes, headers }: HostileRequest,
  tally: Tally,
): Promise<void> {
  const size = bytes?.length ?? 0;
  const shown = `${method} ${route.slice(0, 160)} ${JSON.stringify(headers)} ${String(bytes ?? '').slice(0, 160)} (${size} bytes)`;
  const call = (): Promise<Sent> =>
    callers
      .send(access, method, route, { headers, ...(bytes !== null && { body: bytes }) })
      .catch((error: Error) => {
        throw new Error(`${error.message}: ${shown}`, { cause: error });
      });
  const first = await call();
  const times = [first.ms];
  if (first.ms > limitMs && first.status < 500) {
    for (let at = 0; at < REPETITIONS; at += 1) times.push((await call()).ms);
  }
  tally.add(first, percentile(times, 0.5), size, shown);
}

function total(tallies: readonly Tally[]): Check {
  const sum = (of: (tally: Tally) => number): number => tallies.reduce((all, each) => all + of(each), 0);
  const [sent, validated] = [sum((each) => each.sent), sum((each) => each.validated)];
  const serverErrors = sum((each) => each.serverErrors);
  const slowest = tallies.toSorted((a, b) => b.slowestMs - a.slowestMs).slice(0, 5);
  const slow = slowest.map((each) => `${each.operation} ${Math.round(each.slowestMs)} ms`).join(', ');
  return check(
    `the operations read at least ${LEAST_VALIDATED * 100} % of the requests`,
    validated >= LEAST_VALIDATED * sent,
    `${tallies.length} operations, ${sent} requests, ${validated} validated, ${serverErrors} with a 5xx; slowest: ${slow}`,
  );
}
