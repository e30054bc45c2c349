import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findFreePort, workspaceRoot } from '@plimsoll/local-parts';
import { type ReceivedRequest, type Receiver, startReceiver, waitFor } from '@plimsoll/testing';
import { Webhook } from 'standardwebhooks';
import { type PackedSdk, packSdk } from '../sdk/packed-sdk';
import { type WebhookService, startWebhookService } from '../signatures/webhook-service';

const ROOT = workspaceRoot();
type Headers = Record<string, string>;

/** The program around a handler that has no server of its own. It serves what the platform of the handler would. */
const HOSTS: Record<string, string> = {
  'webhooks-next': `
import { createServer } from 'node:http';
import { POST } from './route.ts';
createServer(async (incoming, outgoing) => {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  const response = await POST(new Request('http://localhost' + incoming.url, { method: 'POST', headers, body: Buffer.concat(chunks) }));
  outgoing.writeHead(response.status).end(Buffer.from(await response.arrayBuffer()));
}).listen(Number(process.env.PORT), '127.0.0.1');`,
  'webhooks-lambda': `
import { createServer } from 'node:http';
import { handler } from './handler.ts';
createServer(async (incoming, outgoing) => {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('base64');
  const { statusCode, body: text } = await handler({ headers: incoming.headers, body, isBase64Encoded: true });
  outgoing.writeHead(statusCode).end(text);
}).listen(Number(process.env.PORT), '127.0.0.1');`,
};

describe('the examples of webhook receivers', () => {
  let service: WebhookService;
  let sdk: PackedSdk;
  /** In place of a channel of Slack. */
  let channel: Receiver;

  beforeAll(async () => {
    [service, sdk, channel] = await Promise.all([startWebhookService(), packSdk(), startReceiver()]);
    for (const name of ['express', 'fastify'])
      await symlink(path.join(ROOT, 'node_modules', name), path.join(sdk.user, 'node_modules', name));
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    await channel?.close();
    await sdk?.remove();
  });

  describe.each([
    ['webhooks-express', 'server.ts'],
    ['webhooks-fastify', 'server.ts'],
    ['webhooks-next', 'route.ts'],
    ['webhooks-lambda', 'handler.ts'],
    ['slack-bot', 'server.ts'],
  ])('%s', (name, file) => {
    let receiver: ChildProcess;
    let url: string;
    let printed = '';
    const nextSecret = `whsec_${randomBytes(32).toString('base64')}`;

    beforeAll(async () => {
      const folder = path.join(sdk.user, name);
      await mkdir(folder);
      await cp(path.join(ROOT, 'examples', name, file), path.join(folder, file));
      const host = HOSTS[name];
      const main = host === undefined ? file : 'host.mts';
      if (host !== undefined) await writeFile(path.join(folder, main), host);
      await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
      const port = await findFreePort();
      url = `http://127.0.0.1:${port}/plimsoll`;
      receiver = spawn(process.execPath, [path.join(folder, main)], {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          PORT: String(port),
          PLIMSOLL_WEBHOOK_SECRET: `${service.secret} ${nextSecret}`,
          SLACK_WEBHOOK_URL: `${channel.url}/slack`,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      receiver.stdout?.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
      await waitFor(async () => (await post('{}', {})).status === 400, { message: 'the receiver listens' });
    }, 60_000);
    afterAll(() => void receiver?.kill('SIGKILL'));
    beforeEach(() => (printed = ''));

    const post = (body: string | Buffer, headers: Headers): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : new Uint8Array(body),
        signal: AbortSignal.timeout(10_000),
      });

    /** The headers that a request of the platform has beside those of the connection. */
    const sent = ({ headers }: ReceivedRequest): Headers =>
      Object.fromEntries(
        Object.entries(headers).flatMap(([key, value]) =>
          /^(x-service-|webhook-|user-agent)/.test(key) ? [[key, String(value)]] : [],
        ),
      );
    const refused = async (response: Promise<Response>): Promise<unknown> => {
      const { status } = await response;
      const { code } = (await (await response).json()) as { code: string };
      expect([status, printed]).toEqual([400, '']);
      return code;
    };

    it('accepts what the platform signed', async () => {
      for (const event of ['alert.created', 'position.updated', 'test.ping'] as const) {
        const request = await service.deliver(event);
        expect((await post(request.body, sent(request))).status).toBe(204);
        const line = `${event} ${String(request.headers['x-service-event-id'])}\n`;
        await waitFor(() => printed.includes(line), { message: `the receiver prints ${line}` });
      }
    });

    if (name === 'slack-bot')
      it('sends one message for an event, and refuses it while Slack fails', async () => {
        const request = await service.deliver('alert.created');
        const before = channel.requests.length;
        channel.respondWith(() => ({ status: 500 }));
        expect((await post(request.body, sent(request))).status).toBe(502);
        channel.respondWith(() => ({ status: 200, body: 'ok' }));
        for (const _ of [1, 2]) expect((await post(request.body, sent(request))).status).toBe(204);
        const messages = channel.requests.slice(before);
        expect(messages).toHaveLength(2);
        const { data } = JSON.parse(String(request.body)) as { data: { title: string; level: string } };
        const { text } = JSON.parse(String(messages[1]!.body)) as { text: string };
        expect(text).toContain(`*${data.title}* (${data.level})`);
        const hostile = String(request.body).replace(
          JSON.stringify(data.title),
          '"<!channel> & <http://a|b>"',
        );
        const again = hostile.replaceAll(/"eventId":"[^"]+"/g, '"eventId":"evt_0000000000000000000002"');
        expect((await post(again, signed(again, service.secret, Date.now()))).status).toBe(204);
        const last = JSON.parse(String(channel.requests.at(-1)!.body)) as { text: string };
        expect(last.text).toContain('&lt;!channel&gt; &amp; &lt;http://a|b&gt;');
      });

    it('accepts the second secret during a rotation', async () => {
      const { body } = await service.deliver('test.ping');
      expect((await post(body, signed(body.toString(), nextSecret, Date.now()))).status).toBe(204);
    });

    it('refuses a changed byte, another secret and a missing signature', async () => {
      const request = await service.deliver('alert.created');
      const changed = Buffer.from(request.body);
      changed.writeUInt8(changed.readUInt8(30) ^ 1, 30);
      expect(await refused(post(changed, sent(request)))).toBe('signature_wrong');
      const foreign = signed(
        request.body.toString(),
        `whsec_${randomBytes(32).toString('base64')}`,
        Date.now(),
      );
      expect(await refused(post(request.body, foreign))).toBe('signature_wrong');
      expect(await refused(post(request.body, {}))).toBe('signature_missing');
    });

    it('refuses a request that was sent before, also without its signed time', async () => {
      const request = await service.deliver('alert.created');
      const text = request.body.toString();
      const old = { ...sent(request), ...signed(text, service.secret, Date.now() - 301_000) };
      expect(await refused(post(request.body, old))).toBe('timestamp_too_old');
      const { 'webhook-timestamp': _, ...without } = old;
      expect(await refused(post(request.body, without))).toBe('timestamp_missing');
      const now = String(Math.floor(Date.now() / 1_000));
      expect(await refused(post(request.body, { ...old, 'webhook-timestamp': now }))).toBe('signature_wrong');
    });

    it('refuses the same JSON in other bytes', async () => {
      const request = await service.deliver('alert.created');
      const value: unknown = JSON.parse(request.body.toString());
      const spaced = JSON.stringify(value, null, 2);
      const escaped = request.body.toString().replace('"event"', String.raw`"\u0065vent"`);
      const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), request.body]);
      expect([JSON.parse(escaped), escaped === request.body.toString()]).toEqual([value, false]);
      for (const body of [spaced, escaped, marked])
        expect(await refused(post(body, sent(request)))).toBe('signature_wrong');
    });
  });
});

/** Headers by the reference library of Standard Webhooks. */
function signed(body: string, secret: string, atMs: number): Headers {
  const id = 'evt_0000000000000000000001';
  const timestamp = Math.floor(atMs / 1_000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': new Webhook(secret).sign(id, new Date(timestamp * 1_000), body),
  };
}
