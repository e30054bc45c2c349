import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CALL_HEADER,
  IDENTITY_HEADER,
  type ProblemBody,
  SCOPES,
  type Scope,
  type Tier,
  newId,
} from '@plimsoll/contracts';
import { findFreePort } from '@plimsoll/local-parts';
import type { ServiceIdentity } from '@plimsoll/service-kit';
import {
  type ServiceProcess,
  startProcess,
  testIdentityKeys,
  testServiceIdentity,
  waitFor,
} from '@plimsoll/testing';
import { Fixture, type TestKey, call } from '../../apps/gateway/test/fixture';
import type { ReceivedRequest } from '../../apps/gateway/test/test-upstream';

jest.setTimeout(120_000);

const PATH = '/v1/webhooks';
const [AFTER_SECONDS, OVERLAP_SECONDS] = [3, 8];

/** A gateway before the genuine webhook-delivery, and before a test server for positions. */
describe('the signed identity', () => {
  const folder = testIdentityKeys(mkdtempSync(path.join(tmpdir(), 'signed-identity-')));
  const stolen = mkdtempSync(path.join(tmpdir(), 'stolen-identity-'));
  let fixture: Fixture;
  let service: ServiceProcess;
  let serviceUrl: string;
  let gateway: string;
  let account: TestKey;

  beforeAll(async () => {
    cpSync(folder, stolen, { recursive: true });
    fixture = await Fixture.start(undefined, folder);
    const port = await findFreePort();
    serviceUrl = `http://127.0.0.1:${port}`;
    service = await startProcess('webhook-delivery', {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      LOG_LEVEL: 'warn',
      DATABASE_URL: fixture.database.url,
      KAFKA_BROKERS: fixture.kafka.brokers.join(','),
      KAFKA_TOPIC_PREFIX: fixture.kafka.topicPrefix,
      IDENTITY_KEYS_FOLDER: folder,
      WEBHOOK_SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
    });
    gateway = await fixture.gateway({ UPSTREAM_WEBHOOK_DELIVERY: serviceUrl });
    account = await fixture.account('enterprise', { perMinute: 1_000_000 });
  });
  afterAll(async () => {
    await service?.end('SIGTERM');
    await fixture?.stop();
    rmSync(folder, { recursive: true });
    rmSync(stolen, { recursive: true });
  });

  const caller = (tier: Tier = 'pro') => ({
    accountId: newId('acc'),
    keyId: newId('key'),
    tier,
    scopes: SCOPES as readonly Scope[],
    limits: { wallets: null, webhooks: null },
    audiences: ['webhook-delivery', 'alerts', 'whales'],
  });
  const sign = (
    by: ServiceIdentity,
    over: Partial<ReturnType<typeof caller>> = {},
    nowMs = Date.now(),
  ): string => by.sign({ ...caller(), ...over }, nowMs);
  const prove = (by: ServiceIdentity, identity: string, nowMs = Date.now()): string =>
    by.prove('webhook-delivery', 'GET', PATH, identity, nowMs);
  /** The response of the service itself. */
  async function ask(identity: string, proof: string, target = PATH): Promise<string> {
    const headers = { [IDENTITY_HEADER]: identity, [CALL_HEADER]: proof };
    const response = await fetch(serviceUrl + target, { headers, signal: AbortSignal.timeout(10_000) });
    const { code = 'ok' } = (await response.json()) as Partial<ProblemBody>;
    return `${response.status} ${code}`;
  }
  const from = (name: string, keys = folder): ServiceIdentity => testServiceIdentity(keys, name);
  const OK = '200 ok';
  const REJECTED = '401 missing_api_key';

  describe('at the service itself', () => {
    const signer = from('gateway');

    it('is accepted with the proof of the gateway, and of a service that may send the request', async () => {
      const identity = sign(signer);
      expect(await ask(identity, prove(signer, identity))).toBe(OK);
      expect(await ask(identity, prove(from('alerts'), identity))).toBe(OK);
    });

    it('is rejected when it is forged, expired, early, or for other services', async () => {
      const past = Date.now() - 31_000;
      const others = testIdentityKeys(mkdtempSync(path.join(tmpdir(), 'other-identity-')));
      const identities = {
        forged: sign(from('gateway', others)),
        expired: sign(signer, {}, past),
        early: sign(signer, {}, Date.now() + 10_000),
        'for other services': sign(signer, { audiences: ['alerts'] }),
        'of a service': sign(from('alerts')),
      };
      rmSync(others, { recursive: true });
      for (const [what, identity] of Object.entries(identities)) {
        expect([what, await ask(identity, prove(signer, identity))]).toEqual([what, REJECTED]);
      }
    });

    it('is rejected with a proof that is replayed, expired, of another request or of another service', async () => {
      const identity = sign(signer);
      const proof = prove(signer, identity);
      expect(await ask(identity, proof)).toBe(OK);
      expect(await ask(identity, proof)).toBe(REJECTED);
      expect(await ask(identity, prove(signer, identity), `${PATH}?limit=2`)).toBe(REJECTED);
      expect(await ask(identity, prove(signer, identity, Date.now() - 31_000))).toBe(REJECTED);
      expect(await ask(sign(signer), prove(signer, identity))).toBe(REJECTED);
      expect(await ask(identity, prove(from('whales'), identity))).toBe(REJECTED);
      expect(await ask(identity, signer.prove('alerts', 'GET', PATH, identity, Date.now()))).toBe(REJECTED);
    });

    it('decides about tier and scope again', async () => {
      const low = sign(signer, { tier: 'open' });
      expect(await ask(low, prove(signer, low))).toBe('403 tier_required');
      const narrow = sign(signer, { scopes: SCOPES.filter((scope) => scope !== 'webhooks:read') });
      expect(await ask(narrow, prove(signer, narrow))).toBe('403 scope_required');
    });
  });

  it('changes its keys under load without a restart and without a failed call, and the former ones end', async () => {
    const failed: unknown[] = [];
    const requests = { positions: 0, webhooks: 0, inner: 0 };
    let latest: string[] = [];
    const over = new AbortController();
    const work = async (kind: keyof typeof requests, send: () => Promise<unknown>): Promise<void> => {
      while (!over.signal.aborted) {
        const failure = await send().catch((error: Error) => error);
        requests[kind] += 1;
        if (failure !== null) failed.push(failure);
      }
    };
    const throughGateway = async (): Promise<unknown> => {
      const { status, body } = await call(gateway, '/v1/positions', account.key);
      const { headers, identity } = body as unknown as ReceivedRequest;
      if (status !== 200 || identity?.accountId !== account.accountId) return [status, body];
      const [signedBy = ''] = headers[IDENTITY_HEADER]?.split('.') ?? [];
      latest = [signedBy, ...(headers[CALL_HEADER]?.split('.').slice(0, 2) ?? [])];
      return null;
    };
    const toService = async (): Promise<unknown> => {
      const { status, body } = await call(gateway, PATH, account.key);
      return status === 200 ? null : [status, body];
    };
    const [signer, alerts, thief] = [from('gateway'), from('alerts'), from('gateway', stolen)];
    const between = async (): Promise<unknown> => {
      const identity = sign(signer);
      const result = await ask(identity, prove(alerts, identity));
      return result === OK ? null : result;
    };
    const askStolen = (): Promise<string> => {
      const identity = sign(thief);
      return ask(identity, prove(thief, identity));
    };
    const load = Promise.all([
      ...Array.from({ length: 4 }, () => work('positions', throughGateway)),
      ...Array.from({ length: 4 }, () => work('webhooks', toService)),
      ...Array.from({ length: 2 }, () => work('inner', between)),
    ]);
    const more = async (count: number): Promise<void> => {
      const begin = { ...requests };
      await waitFor(
        () =>
          Object.entries(requests).every(([kind, now]) => now >= begin[kind as keyof typeof begin] + count),
        { timeoutMs: 60_000, message: `${count} requests of each kind` },
      );
    };
    await more(50);
    const before = latest;
    const words = `identity-keys rotate --after-seconds ${AFTER_SECONDS} --overlap-seconds ${OVERLAP_SECONDS}`;
    const { code, out } = await fixture.admin(...words.split(' '));
    const { keys, formerUntil } = JSON.parse(out) as { keys: string[]; formerUntil: string };
    // The services know the new keys for a while before the gateway uses them.
    await delay(1_000);
    expect([code, latest]).toEqual([0, before]);
    await waitFor(() => latest.every((id) => keys.includes(id)), {
      timeoutMs: 30_000,
      message: 'requests under the new keys only',
    });
    expect(Date.now()).toBeLessThan(Date.parse(formerUntil));
    expect(await askStolen()).toBe(OK);
    await more(100);
    await waitFor(() => Date.now() > Date.parse(formerUntil), { message: 'the end of the former keys' });
    expect(await askStolen()).toBe(REJECTED);
    await more(50);
    over.abort();
    await load;
    expect(failed).toEqual([]);
    expect(latest.some((id) => before.includes(id))).toBe(false);
  });

  it('create adds the keys that are missing, and changes no others', async () => {
    const { code, out } = await fixture.admin('identity-keys', 'create');
    expect([code, JSON.parse(out)]).toEqual([0, { folder, created: [] }]);
    expect((await call(gateway, '/v1/positions', account.key)).status).toBe(200);
  });

  it('rotate rejects an unknown service, and times that leave none to read the keys', async () => {
    for (const words of [
      ['--service', 'nobody'],
      ['--after-seconds', '1'],
      ['--overlap-seconds', '1'],
    ]) {
      expect((await fixture.admin('identity-keys', 'rotate', ...words)).code).toBe(2);
    }
  });

  it('of a client is removed by the gateway', async () => {
    const headers = { [IDENTITY_HEADER]: 'x.y.z', [CALL_HEADER]: 'a.b.c.d.e.f' };
    const { body } = await call(gateway, '/v1/positions', account.key, { headers });
    expect((body as unknown as ReceivedRequest).identity?.accountId).toBe(account.accountId);
  });
});
