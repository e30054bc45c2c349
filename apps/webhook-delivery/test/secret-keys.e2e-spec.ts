import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type CreatedWebhook, newId } from '@plimsoll/contracts';
import { findFreePort } from '@plimsoll/local-parts';
import { type Receiver, type ServiceProcess, startProcess, startReceiver, waitFor } from '@plimsoll/testing';
import { DeliveryFixture, alertOf } from './delivery-fixture';

jest.setTimeout(120_000);

const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [first, second] = [key('first'), key('second')];
const CHANGED = 'changed secret keys are in use';

/** Two instances with one file of keys, and events all the time. */
describe('WEBHOOK_SECRET_KEYS_FILE, changed under load', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'webhook-keys-'));
  const file = path.join(folder, 'keys');
  const secrets = new Map<string, string>();
  const published: string[] = [];
  const over = new AbortController();
  let fixture: DeliveryFixture;
  let receiver: Receiver;
  let origins: string[] = [];
  let instances: ServiceProcess[] = [];
  let load: Promise<void>;

  /** Whole, as a container platform changes a mounted secret. */
  function write(text: string): void {
    writeFileSync(`${file}.new`, `${text}\n`);
    renameSync(`${file}.new`, file);
  }
  const count = (text: string): number[] => instances.map((each) => each.logs().split(text).length - 1);
  async function onBoth(text: string, work: () => void): Promise<void> {
    const before = count(text);
    work();
    await waitFor(() => count(text).every((now, at) => now > before[at]!), {
      message: `both instances log: ${text}`,
    });
  }
  const metric = (name: string): Promise<number[]> =>
    Promise.all(
      instances.map(async ({ operationsUrl }) => {
        const text = await (await fetch(`${operationsUrl}/metrics`)).text();
        return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
      }),
    );
  const rejected = () => metric('secret_keys_rejected\\{variable="WEBHOOK_SECRET_KEYS"\\}');
  const accountId = newId('acc');

  /** Creates an endpoint at the first instance. Its deliveries follow. */
  async function register(name: string): Promise<void> {
    const at = '/v1/webhooks';
    const response = await fetch(`${origins[0]}${at}`, {
      method: 'POST',
      headers: { ...fixture.headers('POST', at, {}, accountId), 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${receiver.url}/${name}`, events: ['alert.created'] }),
    });
    expect(response.status).toBe(201);
    const { webhook } = (await response.json()) as CreatedWebhook;
    secrets.set(`/${name}`, webhook.secret);
    await fixture.pool.query('UPDATE webhooks SET verified_at = now() WHERE id = $1', [webhook.id]);
    await more();
  }
  const sealedWith = async (name: string): Promise<string> => {
    const { rows } = await fixture.pool.query<{ id: string }>(
      'SELECT secret_key_id AS id FROM webhooks WHERE url = $1',
      [`${receiver.url}/${name}`],
    );
    return rows[0]!.id;
  };
  /** Further deliveries at every endpoint. */
  async function more(): Promise<void> {
    const at = (name: string): number => receiver.requests.filter((each) => each.path === name).length;
    const before = new Map([...secrets.keys()].map((name) => [name, at(name)]));
    await waitFor(() => [...before].every(([name, was]) => at(name) >= was + 20), {
      timeoutMs: 30_000,
      message: '20 more deliveries at each endpoint',
    });
  }

  beforeAll(async () => {
    fixture = await DeliveryFixture.create();
    receiver = await startReceiver();
    await (await fixture.startInstance()).stop();
    write(first);
    const { WEBHOOK_SECRET_KEYS: _, ...environment } = fixture.environment;
    for (let i = 0; i < 2; i += 1) {
      const port = await findFreePort();
      origins.push(`http://127.0.0.1:${port}`);
      const own = { WEBHOOK_SECRET_KEYS_FILE: file, LOG_LEVEL: 'info', PORT: String(port) };
      instances.push(await startProcess('webhook-delivery', { ...environment, ...own }));
    }
    load = (async () => {
      while (!over.signal.aborted) {
        const events = [alertOf(accountId), alertOf(accountId)];
        published.push(...events.map(({ eventId }) => eventId));
        await fixture.publish(events);
        await delay(20);
      }
    })();
    await register('before');
  });
  afterAll(async () => {
    over.abort();
    await load;
    await Promise.all(instances.map((each) => each.end('SIGKILL')));
    await fixture?.close();
    await receiver?.close();
    rmSync(folder, { recursive: true });
  });

  it('adds a key, and then seals with it; secrets of the former key still sign', async () => {
    await onBoth(CHANGED, () => write(`${first},${second}`));
    await register('during');
    expect(await sealedWith('during')).toBe('first');
    await onBoth(CHANGED, () => write(`${second},${first}`));
    await register('after');
    expect(await sealedWith('after')).toBe('second');
    expect(
      await metric('secret_key_known\\{variable="WEBHOOK_SECRET_KEYS",key="second",seals="true"\\}'),
    ).toEqual([1, 1]);
  });

  it.each([
    ['that is damaged', `${second},${first.slice(0, -9)}`, 'must be <id>:<base64 of 32 bytes>'],
    ['that is empty', '', 'has a file that is empty'],
    ['without a key in use', second, 'lacks keys that stored secrets are sealed with: first'],
    ['with another key for a known id', `${second},${key('first')}`, "has another key for the id 'first'"],
  ])('keeps its keys for a file %s, names the variable, and recovers', async (_, text, reason) => {
    await onBoth(reason, () => write(text));
    const wrong = instances[0]!
      .logs()
      .split('\n')
      .find((line) => line.includes(reason))!;
    expect(JSON.parse(wrong)).toMatchObject({ level: 50, variable: 'WEBHOOK_SECRET_KEYS' });
    expect(await rejected()).toEqual([1, 1]);
    await more();
    write(`${second},${first}`);
    await waitFor(async () => (await rejected()).every((each) => each === 0), {
      message: 'both accept the file',
    });
    await more();
  });

  it('has failed no delivery and no signature, and logged no key', async () => {
    over.abort();
    await load;
    const delivered = (name: string): Set<string> =>
      new Set(
        receiver.requests
          .filter((each) => each.path === name)
          .map(({ body }) => (JSON.parse(body.toString()) as { eventId: string }).eventId),
      );
    // The first endpoint began with the load: it receives the rest.
    const expected = published.slice(published.indexOf([...delivered('/before')][0]!));
    await waitFor(() => delivered('/before').size >= expected.length, {
      timeoutMs: 30_000,
      message: `${expected.length} deliveries to the first endpoint`,
    });
    const wrong = receiver.requests.filter(({ path: name, body, headers }) => {
      const signature = createHmac('sha256', secrets.get(name)!).update(body).digest('hex');
      return headers['x-service-signature'] !== signature;
    });
    expect(wrong).toEqual([]);
    const { rows } = await fixture.pool.query(
      "SELECT state, attempts FROM deliveries WHERE state <> 'delivered' OR attempts <> 1",
    );
    expect(rows).toEqual([]);
    for (const each of instances)
      for (const secret of [first, second]) expect(each.logs()).not.toContain(secret.split(':')[1]);
  });
});
