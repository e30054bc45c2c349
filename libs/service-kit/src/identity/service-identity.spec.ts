import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Logger } from '@nestjs/common';
import { CALL_HEADER, IDENTITY_HEADER } from '@plimsoll/contracts';
import { testIdentityKeys, testServiceIdentity } from '@plimsoll/testing';
import { callMac, proofOf } from './call-proof';
import { privateFile, publicFile, readKeys, rotateKeys } from '@plimsoll/access';
import type { ServiceIdentity } from './service-identity';

const NOW = 1_800_000_000_000;
const PATH = '/v1/positions?a=b';
const CALLER = {
  accountId: 'acc_1',
  keyId: 'key_1',
  tier: 'pro' as const,
  scopes: ['positions:read' as const],
  limits: { wallets: 25, webhooks: 5 },
};

describe('ServiceIdentity', () => {
  // Unreadable keys and former identities are logged.
  beforeAll(() => Logger.overrideLogger(false));

  let folder: string;
  let gateway: ServiceIdentity;
  let positions: ServiceIdentity;
  let simulation: ServiceIdentity;

  beforeEach(() => {
    folder = testIdentityKeys(mkdtempSync(path.join(tmpdir(), 'service-identity-')));
    [gateway, positions, simulation] = ['gateway', 'positions', 'simulation'].map((name) =>
      testServiceIdentity(folder, name),
    ) as [ServiceIdentity, ServiceIdentity, ServiceIdentity];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const identity = (audiences = ['positions', 'simulation'], nowMs = NOW): string =>
    gateway.sign({ ...CALLER, audiences }, nowMs);
  const headersOf = (signed: string, proof: string) => ({ [IDENTITY_HEADER]: signed, [CALL_HEADER]: proof });
  /** A request of `from` to positions. */
  const request = (signed = identity(), from = gateway, nowMs = NOW, to = 'positions') => ({
    method: 'GET',
    path: PATH,
    headers: headersOf(signed, from.prove(to, 'GET', PATH, signed, nowMs)),
  });

  it('verifies a request of the gateway, with the caller and the calling service', () => {
    expect(positions.verify(request(), NOW)).toEqual({
      identity: { ...CALLER, issuedAt: NOW / 1_000 },
      from: 'gateway',
    });
  });

  it('accepts one identity for many requests, and each proof once', () => {
    const signed = identity();
    const [first, second] = [request(signed), request(signed)];
    expect(positions.verify(second, NOW)).not.toBeNull();
    expect(positions.verify(first, NOW)).not.toBeNull();
    expect(positions.verify(first, NOW)).toBeNull();
    expect(positions.verify(first, NOW + 29_000)).toBeNull();
    expect(positions.verify(second, NOW)).toBeNull();
  });

  it('rejects a proof of another method, path, identity or service, and a request without one', () => {
    const sent = request();
    const { headers } = sent;
    const other = gateway.sign({ ...CALLER, tier: 'enterprise', audiences: ['positions'] }, NOW);
    const changed = [
      { ...sent, method: 'POST' },
      { ...sent, path: '/v1/positions?a=c' },
      { ...sent, headers: { ...headers, [IDENTITY_HEADER]: other } },
      { ...sent, headers: { [IDENTITY_HEADER]: other } },
      { ...sent, headers: { [CALL_HEADER]: headers[CALL_HEADER] } },
      { ...sent, headers: { ...headers, [CALL_HEADER]: 'a.b.c.d.e.f' } },
      {
        ...sent,
        headers: { ...headers, [CALL_HEADER]: headers[CALL_HEADER].replace(/\.\d+\.([^.]+)$/, '.9.$1') },
      },
      request(other, gateway, NOW, 'simulation'),
    ];
    for (const each of changed) expect(positions.verify(each, NOW)).toBeNull();
    expect(positions.verify(sent, NOW)).not.toBeNull();
  });

  it('rejects an identity for other services, or an old one, and an old or early proof', () => {
    expect(positions.verify(request(identity(['whales'])), NOW)).toBeNull();
    expect(positions.verify(request(identity(undefined, NOW - 31_000)), NOW)).toBeNull();
    expect(positions.verify(request(), NOW + 31_000)).toBeNull();
    expect(positions.verify(request(), NOW - 6_000)).toBeNull();
    expect(positions.verify(request(), NOW - 5_000)).not.toBeNull();
  });

  it('accepts the identity that a service passes on, with the proof of that service', () => {
    expect(positions.verify(request(identity(), simulation), NOW)?.from).toBe('simulation');
  });

  it('rejects a service that does not call this one, one that is no audience, and another request of one', () => {
    const whales = testServiceIdentity(folder, 'whales');
    const signed = identity(['positions', 'whales']);
    expect(positions.verify(request(signed, whales), NOW)).toBeNull();
    expect(positions.verify(request(identity(['positions']), simulation), NOW)).toBeNull();
    const write = simulation.prove('positions', 'POST', '/v1/wallets', identity(), NOW);
    const sent = { method: 'POST', path: '/v1/wallets', headers: headersOf(identity(), write) };
    expect(positions.verify(sent, NOW)).toBeNull();
  });

  it('rejects the proof of a service that names another as the sender', () => {
    const keyOf = (service: string) => {
      return readKeys(publicFile(folder), 'public').find((each) => each.service === service)!;
    };
    const [own] = readKeys(privateFile(folder, 'simulation'), 'private');
    const head = {
      from: keyOf('gateway').id,
      to: keyOf('positions').id,
      issuedAt: NOW / 1_000,
      process: randomBytes(12).toString('base64url'),
      number: 1,
    };
    const signed = identity();
    for (const other of ['gateway', 'positions']) {
      const mac = callMac(own!.agreement, keyOf(other).agreement, head);
      const proof = proofOf(head, { method: 'GET', path: PATH, identity: signed }, mac);
      const sent = { method: 'GET', path: PATH, headers: headersOf(signed, proof) };
      expect(positions.verify(sent, NOW)).toBeNull();
    }
  });

  it('lets a service sign its own account, and no other', () => {
    const alerts = testServiceIdentity(folder, 'alerts');
    const detail = '/v1/positions/pos_1';
    const sent = (signed: string) => ({
      method: 'GET',
      path: detail,
      headers: headersOf(signed, alerts.prove('positions', 'GET', detail, signed, NOW)),
    });
    expect(positions.verify(sent(alerts.signOwn(NOW)), NOW)?.identity.scopes).toEqual(['positions:read']);
    const forged = alerts.sign({ ...CALLER, audiences: ['positions', 'alerts'] }, NOW);
    expect(positions.verify(sent(forged), NOW)).toBeNull();
  });

  describe('after a rotation', () => {
    let before: number;
    let ids: string[];

    beforeEach(() => {
      before = Date.now();
      expect(positions.verify(request(identity(undefined, before), gateway, before), before)).not.toBeNull();
      const rotation = { nowMs: before, fromMs: before + 5_000, overlapMs: 10_000 };
      ids = rotateKeys(folder, ['gateway', 'positions'], rotation);
    });

    /** The ids of the keys in a request at a time. */
    const idsAt = (nowMs: number): string[] => {
      const sent = request(identity(undefined, nowMs), gateway, nowMs);
      expect(positions.verify(sent, nowMs)).not.toBeNull();
      const [signer = ''] = sent.headers[IDENTITY_HEADER].split('.');
      return [signer, ...sent.headers[CALL_HEADER].split('.').slice(0, 2)];
    };

    it('uses the new keys from their time on, without a restart', () => {
      expect(idsAt(before + 4_000).some((id) => ids.includes(id))).toBe(false);
      expect(idsAt(before + 6_000)).toEqual([ids[0], ids[0], ids[1]]);
    });

    it('accepts what the former keys signed until their end, and nothing after it', () => {
      const old = identity(undefined, before + 4_000);
      const [inTime, late] = [request(old, gateway, before + 4_000), request(old, gateway, before + 4_000)];
      expect(positions.verify(inTime, before + 14_000)).not.toBeNull();
      expect(positions.verify(late, before + 15_000)).toBeNull();
      // Its signature was verified before. A proof with the new keys does not extend its life.
      expect(positions.verify(request(old, gateway, before + 15_000), before + 15_000)).toBeNull();
    });
  });

  it('rejects a key at once that was removed from the public keys', () => {
    const now = Date.now();
    expect(positions.verify(request(identity(undefined, now), gateway, now), now)).not.toBeNull();
    const { keys } = JSON.parse(readFileSync(publicFile(folder), 'utf8')) as { keys: { service: string }[] };
    const kept = keys.filter(({ service }) => service !== 'simulation');
    const passedOn = request(identity(undefined, now), simulation, now);
    writeFileSync(publicFile(folder), JSON.stringify({ keys: kept }));
    expect(positions.verify(passedOn, now + 1_000)).toBeNull();
  });

  it('keeps its keys while changed files cannot be read', () => {
    const now = Date.now();
    writeFileSync(publicFile(folder), readFileSync(publicFile(folder), 'utf8').slice(0, 100));
    const later = now + 2_000;
    expect(positions.verify(request(identity(undefined, later), gateway, later), later)).not.toBeNull();
  });

  describe('with identities of the former form', () => {
    const secret = randomBytes(32);
    const KEYS = `old:${secret.toString('base64')}`;
    const formerToken = (issuedAt = NOW / 1_000, key = secret): string => {
      const content = JSON.stringify({ ...CALLER, requestId: 'req_1', issuedAt });
      const payload = `old.${Buffer.from(content).toString('base64url')}`;
      return `${payload}.${createHmac('sha256', key).update(payload).digest('base64url')}`;
    };
    const sent = (token: string) => ({ method: 'GET', path: PATH, headers: { [IDENTITY_HEADER]: token } });

    it('rejects all of them unless their keys are configured', () => {
      expect(positions.verify(sent(formerToken()), NOW)).toBeNull();
    });

    it('accepts them beside the new ones, without a proof or passed on with one', () => {
      const updated = testServiceIdentity(folder, 'positions', KEYS);
      expect(updated.verify(sent(formerToken()), NOW)).toMatchObject({ identity: CALLER, from: null });
      expect(updated.verify(request(formerToken(), simulation), NOW)).toMatchObject({
        identity: CALLER,
        from: 'simulation',
      });
      expect(updated.verify(request(), NOW)?.from).toBe('gateway');
    });

    it('rejects forged and old ones, and new ones without a proof', () => {
      const updated = testServiceIdentity(folder, 'positions', KEYS);
      for (const token of [
        formerToken(NOW / 1_000, randomBytes(32)),
        formerToken(NOW / 1_000 - 31),
        identity(),
        'old.e30.x',
      ]) {
        expect(updated.verify(sent(token), NOW)).toBeNull();
      }
    });
  });
});
