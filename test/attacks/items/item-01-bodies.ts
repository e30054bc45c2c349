import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Attack, type Check, check, equal, refused } from '../attack';
import { type Sent, anyAddress, send, sendRaw } from '../client';
import { isFair, inPairs, waitsAtMost } from '../pairs';
import type { Target } from '../target';

const LOG_IN = '/account/v1/log-in';
const FLOOD = 20;
const EVERY_MS = 250;
const LOG_INS_A_MINUTE = 20;
/** The other account sends 50 requests a second. */
const GAP_MS = 20;

const CHUNK_CLIENTS = 10;
const TINY_CHUNKS = '1\r\n \r\n'.repeat(2_000);
/** The gateway needs a fraction of it. Without a limit, chunks end at the deadline of the request, 45 s. */
const CHUNKS_MS = 5_000;

const namesOf = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${at}`, 1]));
/** 119 KB, as text: this process measures beside the flood. */
const MANY_NAMES = JSON.stringify(namesOf(9_990));

export const bodies: Attack = {
  item: '1',
  title: 'a request without a key does not block the gateway',
  limitSeconds: 120,
  async run(target) {
    const { key } = await target.account('enterprise');
    return [
      ...(await flood(target, key)),
      ...(await tinyChunks(target, key)),
      ...(await accountBodies(target)),
      ...(await serviceBodies(target, key)),
      ...(await addressLimit(target)),
    ];
  },
};

/** Twenty at once, four times a second, beside an account of the highest tier. */
async function flood({ origin, isShort, limitMs }: Target, key: string): Promise<Check[]> {
  const logIn = (): Promise<Sent> => send(origin, 'POST', LOG_IN, { body: MANY_NAMES });
  const alone = await logIn();
  const statuses = new Set<number>();
  const measure = async (): Promise<number[]> => {
    const times: number[] = [];
    for (let at = 0; at < (isShort ? 20 : 100); at += 1) {
      const { status, ms } = await send(origin, 'GET', '/v1/status', { key });
      if (status !== 200) throw new Error(`GET /v1/status responded with ${status}`);
      times.push(ms);
      await delay(GAP_MS);
    }
    return times;
  };
  await measure();
  const pairs = await inPairs(isShort ? 1 : 3, measure, async () => {
    const sent: Promise<void>[] = [];
    const burst = (): void => {
      for (let at = 0; at < FLOOD; at += 1)
        sent.push(logIn().then(({ status }) => void statuses.add(status)));
    };
    burst();
    const timer = setInterval(burst, EVERY_MS);
    return async () => {
      clearInterval(timer);
      await Promise.all(sent);
    };
  });
  const isRefused = [...statuses].every((status) => status === 0 || status === 413);
  return [
    refused('a log-in with 9,990 unknown fields is refused', alone, [0, 413], limitMs),
    check('20 at once too', isRefused && statuses.size > 0, [...statuses]),
    waitsAtMost('GET /v1/status of an enterprise account beside them', pairs, limitMs),
    isFair('its p99', pairs, limitMs),
  ];
}

/** Clients without a key that send chunks of one byte until the gateway closes their connections. */
async function tinyChunks({ origin, limitMs }: Target, key: string): Promise<Check[]> {
  const checks: Check[] = [];
  for (const path of [LOG_IN, '/v1/simulate/what-if', '/nothing']) {
    const clients = Array.from({ length: CHUNK_CLIENTS }, () => sendChunks(origin, path));
    const closed = Promise.all(clients).then(() => true);
    const isClosed = await Promise.race([closed, delay(CHUNKS_MS, false, { ref: false })]);
    const { status, ms } = await send(origin, 'GET', '/v1/status', { key });
    const detail = `${isClosed ? 'closed' : `open after ${CHUNKS_MS} ms`}, then ${status} in ${Math.round(ms)} of ${limitMs} ms`;
    checks.push(check(`endless chunks to ${path} end`, isClosed && status === 200 && ms <= limitMs, detail));
  }
  return checks;
}

/** Resolves when the gateway has closed the connection. */
function sendChunks(origin: string, path: string): Promise<void> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', `X-Forwarded-For: ${anyAddress()}`];
  socket.write(
    `${[...head, 'Content-Type: application/json', 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`,
  );
  const timer = setInterval(() => {
    if (socket.writableLength < TINY_CHUNKS.length) socket.write(TINY_CHUNKS);
  }, 20);
  // Longer than the check, shorter than the attack.
  const late = setTimeout(() => socket.destroy(), 2 * CHUNKS_MS);
  return new Promise((resolve) => {
    socket.resume().on('close', () => {
      clearInterval(timer);
      clearTimeout(late);
      resolve();
    });
  });
}

/** Bodies without a key, up to the 4 KiB of the account API. */
async function accountBodies({ origin, limitMs }: Target): Promise<Check[]> {
  const credentials = '"email":"nobody@example.com","password":"a wrong password"';
  const cases: [string, string, readonly number[]][] = [
    ['300 unknown fields in 4 KiB', JSON.stringify(namesOf(300)), [400]],
    ['unknown fields beside valid ones', `{${credentials},${JSON.stringify(namesOf(200)).slice(1)}`, [400]],
    ['deep nesting in 4 KiB', `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`, [400]],
    ['a long array in 4 KiB', `{"email":[${'0,'.repeat(1_900)}0]}`, [400]],
    ['a body above 4 KiB', `{${credentials},"a":"${'x'.repeat(4_096)}"}`, [413]],
    ['a body of 2 MiB', `{"a":"${'x'.repeat(2_097_152)}"}`, [0, 413]],
  ];
  const checks: Check[] = [];
  for (const [name, body, statuses] of cases) {
    checks.push(refused(name, await send(origin, 'POST', LOG_IN, { body }), statuses, limitMs));
  }
  return checks;
}

/** Bodies with a key, up to the 1 MiB and the 2,000 values of /v1. */
async function serviceBodies({ origin, limitMs }: Target, key: string): Promise<Check[]> {
  const scenarios = (count: number): string =>
    `{"positionId":"pos_x","scenarios":[${'0,'.repeat(count - 1)}0]}`;
  const cases: [string, string, number, string][] = [
    ['9,990 unknown fields', MANY_NAMES, 400, 'too_large'],
    ['1,998 unknown fields', JSON.stringify(namesOf(1_998)), 400, 'unknown_field'],
    ['2,001 values', JSON.stringify(namesOf(2_001)), 400, 'too_large'],
    ['nesting of 100,000 levels', '['.repeat(100_000), 400, 'too_large'],
    ['nesting of 1,900 levels', `${'['.repeat(1_900)}${']'.repeat(1_900)}`, 400, 'too_deep'],
    ['an array of 1,900 values', scenarios(1_900), 400, 'array_max_size'],
    ['an array of 100,000 values', scenarios(100_000), 400, 'too_large'],
    ['one text of 1 MiB', `{"positionId":"${'x'.repeat(1_048_000)}"}`, 400, ''],
    ['a body above 1 MiB', `{"positionId":"${'x'.repeat(1_048_576)}"}`, 413, ''],
  ];
  const checks: Check[] = [];
  for (const [name, body, status, code] of cases) {
    const sent = await send(origin, 'POST', '/v1/simulate/what-if', { key, body });
    const codes = ((sent.body['errors'] ?? []) as { code: string }[]).map((each) => each.code);
    const isExpected = sent.status === 0 ? status === 413 : sent.status === status;
    const hasCode = code === '' || codes.includes(code);
    const detail = `${sent.status} ${[...new Set(codes)].join(' ')} in ${Math.round(sent.ms)} of ${limitMs} ms`;
    checks.push(check(`${name}: ${status} ${code}`, isExpected && hasCode && sent.ms <= limitMs, detail));
  }
  return checks;
}

/** Above the limit of its address, a log-in is refused before its body is read. */
async function addressLimit({ origin }: Target): Promise<Check[]> {
  const address = anyAddress();
  const statuses: number[] = [];
  for (let at = 0; at < 80 && statuses.filter((each) => each === 429).length < 5; at += 1) {
    const body = { email: 'x', password: '' };
    statuses.push((await send(origin, 'POST', LOG_IN, { body, address })).status);
  }
  const admitted = statuses.filter((status) => status !== 429).length;
  const head = [
    `POST ${LOG_IN} HTTP/1.1`,
    `Host: ${new URL(origin).host}`,
    `X-Forwarded-For: ${address}`,
    'Content-Type: application/json',
    'Content-Length: 40',
  ];
  const { text } = await sendRaw(origin, `${head.join('\r\n')}\r\n\r\n`);
  return [
    // A new minute may begin meanwhile.
    check(
      `an address has ${LOG_INS_A_MINUTE} invalid log-ins a minute`,
      statuses.includes(429) && admitted <= 2 * LOG_INS_A_MINUTE,
      `429 after ${admitted}`,
    ),
    equal('it is refused before its body arrives', text.slice(9, 12), '429'),
  ];
}
