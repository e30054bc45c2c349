import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { OPERATIONS } from './generated/operations';
import { Plimsoll } from './client';
import { RESOURCES } from './resources';

type Sent = { method: string; url: string; body: string | undefined };

/** A client whose requests are recorded and get `{}`. */
function recording(): { client: Plimsoll; sent: Sent[] } {
  const sent: Sent[] = [];
  const client = new Plimsoll({
    apiKey: 'psk_demo_x',
    baseUrl: 'https://api.example.com/',
    fetch: (url, init) => {
      sent.push({ method: init?.method ?? '', url: String(url), body: init?.body as string | undefined });
      return Promise.resolve(new Response('{}'));
    },
  });
  return { client, sent };
}

/** Fails as the fetch of a browser does when it is called as a method of anything but the window. */
function browserFetch(this: unknown): Promise<Response> {
  if (this === undefined || this === globalThis) return Promise.resolve(new Response('{"ok":true}'));
  return Promise.reject(new TypeError("Failed to execute 'fetch' on 'Window': Illegal invocation"));
}

describe('Plimsoll', () => {
  it('does not follow a redirect, because the key would follow too', async () => {
    const received: string[] = [];
    const other = createServer((request, response) => {
      received.push(String(request.headers['x-api-key']));
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const target = `http://localhost:${(other.address() as AddressInfo).port}/v1/status`;
    const api = createServer((_, response) => void response.writeHead(302, { location: target }).end());
    api.listen(0, '127.0.0.1');
    await once(api, 'listening');
    const baseUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    const client = new Plimsoll({ apiKey: 'psk_demo_x', baseUrl, maxRetries: 0 });
    try {
      await expect(client.service.status()).rejects.toMatchObject({ status: 302 });
      expect(received).toEqual([]);
    } finally {
      other.close().closeAllConnections();
      api.close().closeAllConnections();
    }
  });

  it('does not call a given fetch as a method, which a browser refuses', async () => {
    const client = new Plimsoll({
      apiKey: 'psk_demo_x',
      baseUrl: 'https://api.example.com',
      maxRetries: 0,
      fetch: browserFetch,
    });
    await expect(client.service.status()).resolves.toEqual({ ok: true });
  });

  it('has one method for each operation of the document', () => {
    const document = JSON.parse(readFileSync(path.join(__dirname, '../../../docs/openapi.json'), 'utf8')) as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const covered = Object.entries(document.paths)
      .filter(([at]) => at.startsWith('/v1/') && !/^\/v1\/streams\/(?!tickets)/.test(at))
      .flatMap(([, item]) => Object.values(item).flatMap(({ operationId }) => operationId ?? []));
    const named = Object.values(RESOURCES).flatMap((methods) => Object.values(methods) as string[]);
    expect([...named].sort()).toEqual([...covered].sort());
    expect(new Set(named).size).toBe(named.length);
    expect(Object.keys(OPERATIONS).sort()).toEqual([...covered].sort());
  });

  it('distributes the input over path, query and body', async () => {
    const { client, sent } = recording();
    await client.positions.list({ wallet: '0xab', limit: 2 });
    await client.deliveries.get({ id: 'a/b?c' });
    await client.rules.update({ id: 'rule_1', isActive: false });
    expect(sent).toEqual([
      { method: 'GET', url: 'https://api.example.com/v1/positions?wallet=0xab&limit=2', body: null },
      { method: 'GET', url: 'https://api.example.com/v1/deliveries/a%2Fb%3Fc', body: null },
      {
        method: 'PATCH',
        url: 'https://api.example.com/v1/automation/rules/rule_1',
        body: '{"isActive":false}',
      },
    ]);
  });

  it.each([
    'https://api.example.com',
    'https://api.example.com/',
    'https://api.example.com/v1',
    'https://api.example.com/v1/',
  ])('takes the address with and without /v1: %s', (baseUrl) => {
    expect(new Plimsoll({ apiKey: 'psk_demo_x', baseUrl }).transport.baseUrl).toBe('https://api.example.com');
  });

  it('reads the local platform where `npm start` serves it', () => {
    const started = readFileSync(path.join(__dirname, '../../../docs/getting-started.md'), 'utf8');
    const [origin] = /http:\/\/127\.0\.0\.1:\d+(?=\/v1\/alerts)/.exec(started) ?? [];
    expect(new Plimsoll({ apiKey: 'psk_demo_x' }).transport.baseUrl).toBe(origin);
  });

  it('sends no key for a page with a session', async () => {
    const keys: (string | null)[] = [];
    const client = new Plimsoll({
      apiKey: undefined,
      session: true,
      fetch: (_, init) => {
        keys.push(new Headers(init?.headers).get('x-api-key'));
        return Promise.resolve(new Response('{}'));
      },
    });
    await client.service.status();
    expect(keys).toEqual([null]);
  });

  it('refuses what would be another request', () => {
    const { client, sent } = recording();
    expect(() => client.deliveries.get({ id: '' })).toThrow('id is missing');
    expect(() => client.chains.get({ id: undefined as never })).toThrow('id is missing');
    expect(() => client.chains.get({ id: 1, wrong: 2 } as never)).toThrow('no parameter named wrong');
    for (const apiKey of ['', undefined]) expect(() => new Plimsoll({ apiKey })).toThrow('apiKey is missing');
    expect(sent).toEqual([]);
  });
});
