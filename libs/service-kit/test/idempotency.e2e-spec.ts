import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type ProblemBody, newId } from '@plimsoll/contracts';
import { findFreePort } from '@plimsoll/local-parts';
import {
  type TestDatabase,
  createTestDatabase,
  identityHeaders,
  testIdentityKeys,
  waitFor,
} from '@plimsoll/testing';
import { Pool } from 'pg';
import { EventServiceConfig, IDEMPOTENCY_SQL, IdempotencyRepository, createService } from '../src';
import { ThingsModule } from './things-service';

const ROOT = join(__dirname, '../../..');

jest.setTimeout(30_000);

interface Thing {
  id: string;
  name: string;
}

describe('Idempotency-Key', () => {
  let database: TestDatabase;
  let pool: Pool;
  let app: NestFastifyApplication;
  let environment: Record<string, string>;
  let url: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new Pool({ connectionString: database.url, max: 2 });
    pool.on('error', () => undefined);
    await pool.query(`${IDEMPOTENCY_SQL} CREATE TABLE things (id text PRIMARY KEY, name text NOT NULL)`);
    environment = {
      LOG_LEVEL: 'silent',
      IDENTITY_KEYS_FOLDER: testIdentityKeys(),
      DATABASE_URL: database.url,
      KAFKA_BROKERS: 'localhost:9',
    };
    app = await createService(ThingsModule, Object.assign(new EventServiceConfig(), environment));
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(async () => {
    await app.close();
    await pool.end();
    await database.drop();
  });

  const post = async <T = Thing>(
    accountId: string,
    key: string | null,
    body: object | string,
    base = url,
  ): Promise<{ status: number; headers: Headers; body: T }> => {
    const response = await fetch(`${base}/v1/things`, {
      method: 'POST',
      headers: {
        ...identityHeaders(
          environment['IDENTITY_KEYS_FOLDER'] ?? '',
          { service: EventServiceConfig.service, method: 'POST', path: '/v1/things' },
          accountId,
        ),
        'content-type': 'application/json',
        ...(key !== null && { 'idempotency-key': key }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  };
  const effects = async (name: string): Promise<number> =>
    (await pool.query('SELECT FROM things WHERE name = $1', [name])).rowCount ?? 0;
  const rowsOf = async (accountId: string) =>
    (
      await pool.query<{ status: number | null }>('SELECT status FROM idempotency WHERE account_id = $1', [
        accountId,
      ])
    ).rows;

  it('the same key and body have one effect and the same response twice', async () => {
    const [accountId, name] = [newId('acc'), 'once'];
    const first = await post(accountId, 'key-1', { name });
    const again = await post(accountId, 'key-1', `{ "name" : "${name}" }`);
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await effects(name)).toBe(1);
  });

  it('responds with 409 idempotency_mismatch for another body', async () => {
    const accountId = newId('acc');
    await post(accountId, 'key', { name: 'mine' });
    expect(await post<ProblemBody>(accountId, 'key', { name: 'other' })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_mismatch' },
    });
    expect(await effects('other')).toBe(0);
  });

  it('no key, another key or another account has another effect', async () => {
    const accountId = newId('acc');
    for (const [account, key] of [
      [accountId, null],
      [accountId, null],
      [accountId, 'a'],
      [accountId, 'b'],
      [newId('acc'), 'a'],
    ] as const)
      expect((await post(account, key, { name: 'many' })).status).toBe(202);
    expect(await effects('many')).toBe(5);
  });

  it.each([
    ['nothing', ''],
    ['a space', ' '],
    ['two words', 'two words'],
    ['a letter that is not ASCII', 'é'],
    ['256 characters', 'x'.repeat(256)],
  ])('responds with 400 for %s as a key', async (_, key) => {
    expect(await post<ProblemBody>(newId('acc'), key, { name: 'never' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field: 'Idempotency-Key' }] },
    });
    expect(await effects('never')).toBe(0);
  });

  it('stores no response for a request refused before or in its effect; the corrected request works under the same key', async () => {
    const accountId = newId('acc');
    expect((await post(accountId, 'key', { name: 7 })).status).toBe(400);
    expect((await post(accountId, 'key', { name: 'tried', trouble: 'refused' })).status).toBe(403);
    expect((await post(accountId, 'key', { name: 'tried', trouble: 'failed' })).status).toBe(500);
    expect(await effects('tried')).toBe(0);
    expect(await rowsOf(accountId)).toEqual([]);
    expect((await post(accountId, 'key', { name: 'tried' })).status).toBe(202);
  });

  it('simultaneous requests with one key have one effect and one response', async () => {
    const accountId = newId('acc');
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => post(accountId, 'key', { name: 'at once', workMs: 300 })),
    );
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(7);
    expect(await effects('at once')).toBe(1);
  });

  it('responds with 409 conflict and Retry-After while the first request takes longer than the second waits', async () => {
    const accountId = newId('acc');
    const first = post(accountId, 'key', { name: 'slow', workMs: 3_500 });
    await waitFor(async () => (await rowsOf(accountId)).length === 1, { message: 'the key is claimed' });
    const second = await post<ProblemBody>(accountId, 'key', { name: 'slow', workMs: 3_500 });
    expect([second.status, second.body.code, second.headers.get('retry-after')]).toEqual([
      409,
      'conflict',
      '1',
    ]);
    expect((await first).status).toBe(202);
    expect(await effects('slow')).toBe(1);
  });

  it('stores no plain text when the service seals its responses', async () => {
    const accountId = newId('acc');
    await post(accountId, 'key', { name: 'hush-hush' });
    const { rows } = await pool.query<{ body: Buffer; sealed_with: string }>(
      'SELECT body, sealed_with FROM idempotency WHERE account_id = $1',
      [accountId],
    );
    expect(rows[0]?.body.includes('hush-hush')).toBe(false);
    expect(rows[0]?.sealed_with).toBe('test');
    expect(await app.get(IdempotencyRepository).sealKeyIds()).toEqual(['test']);
  });

  describe('after 24 hours', () => {
    const age = (accountId: string) =>
      pool.query(
        `UPDATE idempotency SET created_at = now() - interval '24 hours 1 second' WHERE account_id = $1`,
        [accountId],
      );

    it('a key is new again, with any body', async () => {
      const accountId = newId('acc');
      const first = await post(accountId, 'key', { name: 'yesterday' });
      await age(accountId);
      const second = await post(accountId, 'key', { name: 'today' });
      expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([202, null]);
      expect(second.body.id).not.toBe(first.body.id);
    });

    it('its row is deleted, and no younger row', async () => {
      const [old, young] = [newId('acc'), newId('acc')];
      for (const accountId of [old, young]) await post(accountId, 'key', { name: 'cleaned' });
      await age(old);
      expect(await app.get(IdempotencyRepository).clean()).toBe(1);
      expect([await rowsOf(old), await rowsOf(young)]).toEqual([[], [{ status: 202 }]]);
    });
  });

  describe('a process that is killed', () => {
    let child: ChildProcess;
    let childUrl: string;

    beforeEach(async () => {
      const port = await findFreePort();
      childUrl = `http://127.0.0.1:${port}`;
      child = spawn(process.execPath, ['-r', '@swc-node/register', join(__dirname, 'things-service.ts')], {
        cwd: ROOT,
        env: { ...environment, PORT: String(port) },
        stdio: 'ignore',
      });
      await waitFor(async () => (await fetch(`${childUrl}/health/live`)).status === 200, {
        message: 'the service responds',
        timeoutMs: 20_000,
      });
    });
    afterEach(() => child.kill('SIGKILL'));

    it('after the commit, before its response: the repeated request gets that response and no second effect', async () => {
      const body = { name: 'committed', trouble: 'killed_after' };
      await expect(post('acc_after', 'key', body, childUrl)).rejects.toThrow();
      const { rows } = await pool.query<{ id: string }>(`SELECT id FROM things WHERE name = 'committed'`);
      const again = await post('acc_after', 'key', body);
      expect(again).toMatchObject({ status: 202, body: { id: rows[0]?.id } });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await effects('committed')).toBe(1);
    });

    it('before the commit: nothing happened, and the request works once the claim has expired', async () => {
      const body = { name: 'lost', trouble: 'killed_before' };
      await expect(post('acc_before', 'key', body, childUrl)).rejects.toThrow();
      expect(await effects('lost')).toBe(0);
      expect((await post('acc_before', 'key', body)).status).toBe(409);
      await pool.query(`UPDATE idempotency SET claimed_until = now() WHERE account_id = 'acc_before'`);
      expect((await post<ProblemBody>('acc_before', 'key', { name: 'another' })).body.code).toBe(
        'idempotency_mismatch',
      );
      expect((await post('acc_before', 'key', body)).status).toBe(202);
      expect(await effects('lost')).toBe(1);
    });
  });
});
