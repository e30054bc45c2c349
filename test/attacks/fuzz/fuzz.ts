import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '@plimsoll/devnet';
import { type Attack, type Check, check } from '../attack';
import { Browser, type Sent, send } from '../client';
import type { Target, TestAccount } from '../target';
import { HOSTILE_TEXTS, hostileBodies } from './hostile-values';
import { type FuzzedOperation, documentedOperations } from './operations';

const ROOT = path.join(__dirname, '../../..');
const SEED = 29;
const LIMIT_MS = 250;
/** A slow response counts when it is slow again, because other programs of the machine take time too. */
const REPETITIONS = 3;
const SAMPLES = 8;
const SAMPLE_MS = 500;
/** Memory that caches may take. */
const GROWTH_BYTES = 64 * 1_048_576;
/** These end the session or the password of the fuzz. */
const NOT_FUZZED = new Set(['logOut', 'endSession', 'changePassword', 'revokeKey']);

export const fuzz: Attack = {
  item: 'fuzz',
  title: 'no hostile input causes a 5xx, a slow response, or a growing heap',
  async run(target) {
    const [account, browser] = [await target.account('enterprise'), await Browser.signedIn(target)];
    const operations = documentedOperations(ROOT).filter(({ id }) => !NOT_FUZZED.has(id));
    const count = target.isShort ? 20 : 200;
    const random = seededRandom(SEED);
    for (const operation of operations) await attack(target, operation, account, browser, 2, random);
    const before = await heapBytes(target);
    const checks: Check[] = [];
    for (const operation of operations) {
      checks.push(await attack(target, operation, account, browser, count, random));
    }
    const after = await heapBytes(target);
    for (const [name, bytes] of after) {
      const grown = bytes - (before.get(name) ?? 0);
      checks.push(
        check(
          `the heap of ${name} is flat`,
          grown <= GROWTH_BYTES,
          `${Math.round(grown / 1_048_576)} MiB more`,
        ),
      );
    }
    return checks;
  },
};

/** Sends hostile requests to one operation, one after the other. */
async function attack(
  { origin }: Target,
  operation: FuzzedOperation,
  account: TestAccount,
  browser: Browser,
  count: number,
  random: () => number,
): Promise<Check> {
  const failures: string[] = [];
  let slowestMs = 0;
  const bodies = hostileBodies(operation.bodyExample ?? {}, count, random);
  for (const [at, text] of bodies.entries()) {
    const route = hostilePath(operation, at, random);
    const body = operation.bodyExample === null ? undefined : text;
    const isSession = operation.path.startsWith('/account/');
    const call = (): Promise<Sent> =>
      send(origin, operation.method, route, {
        ...(isSession ? { cookie: browser.cookie } : { key: account.key }),
        ...(body !== undefined && { body }),
      });
    const { status, ms } = await fastest(call);
    slowestMs = Math.max(slowestMs, ms);
    const isRefusedLargeBody = status === 0 && text.length > 16_384;
    if (status >= 500 || ms > LIMIT_MS || (status === 0 && !isRefusedLargeBody)) {
      failures.push(
        `${status} in ${Math.round(ms)} ms for ${route.slice(0, 120)} ${(body ?? '').slice(0, 120)}`,
      );
    }
  }
  const detail =
    failures.length === 0 ? `at most ${Math.round(slowestMs)} ms` : failures.slice(0, 3).join('; ');
  return check(
    `${operation.method} ${operation.path}: ${bodies.length} requests`,
    failures.length === 0,
    detail,
  );
}

/** Repeats a request while it is slow, and returns its fastest response. */
async function fastest(call: () => Promise<Sent>): Promise<Sent> {
  let best = await call();
  for (let at = 1; at < REPETITIONS && best.ms > LIMIT_MS && best.status < 500; at += 1) {
    const again = await call();
    if (again.ms < best.ms) best = again;
  }
  return best;
}

/** Fills path and query with hostile texts; a body has a path that is valid in form. */
function hostilePath(
  { path: route, queryNames, bodyExample }: FuzzedOperation,
  at: number,
  random: () => number,
): string {
  const pick = (): string => HOSTILE_TEXTS[Math.floor(random() * HOSTILE_TEXTS.length)]!;
  const filled = route.replace(/\{(\w+)\}/g, (_, name: string) =>
    bodyExample === null ? encodedPart(HOSTILE_TEXTS[at % HOSTILE_TEXTS.length]!) : `${name}_x`,
  );
  if (bodyExample !== null || queryNames.length === 0) return filled;
  const query = queryNames.filter(() => random() < 0.5).map((name) => `${name}=${encodedPart(pick())}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** A lone surrogate has no form in UTF-8, so it is sent as an invalid one. */
const encodedPart = (text: string): string =>
  encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '\ufffd')).slice(0, 6_000) || '%20';

/** The lowest of several samples of each service, because a heap grows between collections. */
async function heapBytes({ services }: Target): Promise<Map<string, number>> {
  const lowest = new Map<string, number>();
  for (let at = 0; at < SAMPLES; at += 1) {
    await delay(SAMPLE_MS);
    for (const { name, operationsUrl } of services) {
      const response = await fetch(`${operationsUrl}/metrics`, { signal: AbortSignal.timeout(5_000) });
      const line = /^nodejs_heap_size_used_bytes (\S+)$/m.exec(await response.text());
      lowest.set(name, Math.min(Number(line?.[1] ?? 0), lowest.get(name) ?? Number.POSITIVE_INFINITY));
    }
  }
  return lowest;
}
