import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { generateApiKey } from '@plimsoll/access';
import { type Receiver, startReceiver } from '@plimsoll/testing';
import { type Attack, type Check, check, equal } from '../attack';
import { anyAddress, send, sendRaw } from '../client';
import type { Target } from '../target';
import { malformedRequests } from './item-15-requests';

const GUESSES = 80;
/** Of an address without a valid key, as on the open tier. */
const REQUESTS_A_MINUTE = 10;
/** A change of a price reaches webhooks within this time. */
const LISTEN_MS = 10_000;

export const strictHttp: Attack = {
  item: '15',
  title: 'the gateway refuses what is not strict HTTP',
  limitSeconds: 120,
  async run(target) {
    const { key } = await target.account('enterprise');
    return [
      ...(await malformed(target, key)),
      ...(await headers(target, key)),
      ...(await guesses(target, key)),
      ...(await requestIds(target, key)),
      ...secretFiles(target),
    ];
  },
};

async function malformed({ origin }: Target, key: string): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, bytes] of malformedRequests(`x-api-key: ${key}`)) {
    const { text, isClosed } = await sendRaw(origin, bytes);
    const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 'no response';
    const responses = text.match(/HTTP\/1\.1 \d/g)?.length ?? 0;
    const isStrict = hasStrictHeaders(text.toLowerCase());
    const isAlive = await send(origin, 'GET', '/health/live').catch(() => null);
    if (!isAlive) return [...checks, check(`the gateway lives after ${name}`, false, status)];
    // Elsewhere than on Linux all of them come from one address, which has a limit.
    const isRefused = status === '400' || (status === '429' && process.platform !== 'linux');
    const detail = `${status}, ${responses} responses, ${isClosed ? 'closed' : 'open'}, ${isStrict ? 'with' : 'without'} HSTS and nosniff`;
    checks.push(
      check(`${name}: 400 and closed`, isRefused && responses === 1 && isClosed && isStrict, detail),
    );
  }
  return checks;
}

/** HSTS and nosniff on every kind of response. */
async function headers({ origin, account }: Target, key: string): Promise<Check[]> {
  const open = (await account('open')).key;
  const large = { key, body: 'x'.repeat(1_048_577) };
  const cases: [string, string, string, object][] = [
    ['200', 'GET', '/v1/status', { key }],
    ['401', 'GET', '/v1/status', {}],
    ['403', 'GET', '/v1/webhooks', { key: open }],
    ['404', 'GET', '/v1/nothing', { key }],
    ['405', 'PUT', '/v1/status', { key }],
    ['400 of a service', 'POST', '/v1/prices/batch', { key, body: '{' }],
    ['413', 'POST', '/v1/prices/batch', large],
    ['a refused upgrade', 'GET', '/v1/streams/alerts', { key }],
    ['the account API', 'GET', '/account/v1/session', {}],
    ['a document', 'GET', '/openapi.json', {}],
    ['a page', 'GET', '/docs', {}],
    ['liveness', 'GET', '/health/live', {}],
    ['elsewhere', 'GET', '/nothing', {}],
  ];
  const checks: Check[] = [];
  for (const [name, method, route, options] of cases) {
    const { status, headers: received } = await send(origin, method, route, options);
    const text = Object.entries(received)
      .map((field) => field.join(': '))
      .join('\n');
    // A client that still sends a large body may not see the response.
    const isStrict = hasStrictHeaders(text) || (status === 0 && options === large);
    checks.push(check(`${name} has HSTS and nosniff`, isStrict, `${status} ${isStrict}`));
  }
  return checks;
}

const hasStrictHeaders = (text: string): boolean =>
  text.includes('strict-transport-security: max-age=') && text.includes('x-content-type-options: nosniff');

async function guesses({ origin }: Target, key: string): Promise<Check[]> {
  const address = anyAddress();
  const statuses: number[] = [];
  for (let at = 0; at < GUESSES; at += 1) {
    const guess = generateApiKey('live', randomBytes);
    statuses.push((await send(origin, 'GET', '/v1/status', { key: guess, address })).status);
  }
  const own = await send(origin, 'GET', '/v1/status', { key, address });
  const admitted = statuses.filter((status) => status !== 429).length;
  return [
    // A new minute may begin meanwhile.
    check(
      'guesses of keys are limited',
      admitted <= 2 * REQUESTS_A_MINUTE,
      `${admitted} of ${GUESSES} admitted`,
    ),
    equal('a valid key of the same address works', own.status, 200),
  ];
}

/** The id that one account gives its requests, beside a webhook of another that watches the same wallet. */
async function requestIds({ origin, wallets, account, isShort }: Target, key: string): Promise<Check[]> {
  const victim = (await account('enterprise')).key;
  const receiver = await startReceiver();
  const mark = `attack-${randomBytes(8).toString('hex')}`;
  const trace = randomBytes(16).toString('hex');
  const marked = { 'x-request-id': mark, traceparent: `00-${trace}-${'1'.repeat(16)}-01` };
  try {
    const events = ['alert.created', 'alert.updated', 'alert.group', 'position.updated'];
    const hook = { url: `${receiver.url}/hook`, events };
    const created = await send(origin, 'POST', '/v1/webhooks', { key: victim, body: hook });
    const { id } = (created.body['webhook'] ?? created.body) as { id: string };
    const shared = wallets.slice(0, 20);
    for (const address of shared) {
      await send(origin, 'POST', '/v1/wallets', { key: victim, body: { address } });
      const body = { address, label: mark };
      await send(origin, 'POST', '/v1/wallets', { key, body, headers: marked });
    }
    const batch = { key, body: { wallets: shared }, headers: marked };
    const scanned = await send(origin, 'POST', '/v1/positions/batch', batch);
    const ping = { key: victim, body: { event: 'test.ping' }, headers: { 'x-request-id': 'of-the-victim' } };
    await send(origin, 'POST', `/v1/webhooks/${id}/test`, ping);
    const own = await receiver
      .waitForRequest((each) => each.headers['x-request-id'] === 'of-the-victim', LISTEN_MS)
      .catch(() => null);
    const other = await receiver
      .waitForRequest((each) => each.headers['x-service-event'] !== 'test.ping', isShort ? 1_000 : LISTEN_MS)
      .catch(() => null);
    return [
      equal('the response has the id of its request', scanned.headers['x-request-id'], mark),
      check(
        'a webhook has the request id of its own account',
        own !== null,
        own ? 'received' : 'not received',
      ),
      equal('and never that of another account', marksOf(receiver, [mark, trace]), []),
      check('with events beside the ping', isShort || other !== null, `${receiver.requests.length} events`),
    ];
  } finally {
    await receiver.close();
  }
}

function marksOf({ requests }: Receiver, marks: readonly string[]): string[] {
  return requests.flatMap(({ headers, body }) => {
    const text = `${JSON.stringify(headers)}${body.toString()}`;
    return marks.some((mark) => text.includes(mark)) ? [String(headers['x-service-event'])] : [];
  });
}

/** Files with keys and tokens. The log of the launcher exists for a detached one only. */
function secretFiles({ secretFiles: files }: Target): Check[] {
  return files.filter(existsSync).map((file) => {
    const mode = statSync(file).mode & 0o777;
    const isOwners = process.platform === 'win32' || (mode & 0o077) === 0;
    return check(`only its owner reads ${path.basename(file)}`, isOwners, mode.toString(8));
  });
}
