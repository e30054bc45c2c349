import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { findFreePort, startServer, type RunningPart } from '@plimsoll/local-parts';
import { createTestFolder, type TestFolder } from '@plimsoll/testing';
import { request } from 'undici';
import { Fixture } from './fixture';

const ROOT = path.join(__dirname, '../../..');
const committed: unknown = JSON.parse(readFileSync(path.join(ROOT, 'docs/openapi.json'), 'utf8'));

interface TestResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

describe.each(['sources', 'bundle'] as const)('the documents, from the %s', (kind) => {
  let fixture: Fixture;
  let folder: TestFolder;
  let built: RunningPart | undefined;
  let origin: string;

  beforeAll(async () => {
    fixture = await Fixture.start();
    folder = await createTestFolder();
    if (kind === 'bundle') built = await startBundle();
    origin = built?.url ?? (await fixture.gateway());
  }, 60_000);
  afterAll(async () => {
    await built?.stop();
    await fixture.stop();
    await folder.remove();
  });

  async function startBundle(): Promise<RunningPart> {
    const [port, operationsPort] = [await findFreePort(), await findFreePort()];
    const url = `http://127.0.0.1:${port}`;
    const config = Object.entries(fixture.config({ PORT: port, OPERATIONS_PORT: operationsPort })).map(
      ([name, value]) => [name, String(value)],
    );
    return startServer({
      name: 'gateway',
      url,
      port,
      file: process.execPath,
      args: ['dist/apps/gateway/main.js'],
      env: { PATH: process.env.PATH, ...(Object.fromEntries(config) as Record<string, string>) },
      cwd: ROOT,
      logFile: path.join(folder.path, 'gateway.log'),
      isReady: async (signal) =>
        (await fetch(`http://127.0.0.1:${operationsPort}/health/ready`, { signal })).ok,
    });
  }

  async function call(
    target: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'HEAD' = 'GET',
  ): Promise<TestResponse> {
    const { statusCode, headers: received, body } = await request(origin + target, { method, headers });
    return { status: statusCode, headers: received, body: Buffer.from(await body.arrayBuffer()) };
  }

  /** The files that the page loads, and some that it links to. */
  async function namedByPage(): Promise<string[]> {
    const page = String((await call('/docs')).body);
    return [...page.matchAll(/(?:src|href)="(\/[^"#]*)"/g)].map(([, url = '']) => url);
  }

  describe('GET /openapi.json', () => {
    it('200 without a key: the document that is committed, with a server relative to this gateway', async () => {
      const { status, headers, body } = await call('/openapi.json');
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      expect(JSON.parse(String(body))).toEqual(committed);
      expect(committed).toMatchObject({ servers: [{ url: '/' }] });
    });
  });

  describe('GET /asyncapi.json', () => {
    it('200 without a key: the document of the streams that is committed', async () => {
      const { status, body } = await call('/asyncapi.json');
      expect(status).toBe(200);
      const file = readFileSync(path.join(ROOT, 'docs/asyncapi.json'), 'utf8');
      expect(JSON.parse(String(body))).toEqual(JSON.parse(file));
    });
  });

  describe.each([
    ['search', ['/docs/icon.svg', '/docs/docs.css', '/docs/search.js']],
    ['device', ['/docs/icon.svg', '/docs/docs.css', '/docs/device.js']],
  ])('GET /docs/%s', (name, files) => {
    it('200 with a page whose files are all on this gateway, under the same policy', async () => {
      const { status, headers, body } = await call(`/docs/${name}`);
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(String(body)).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
      const named = [...String(body).matchAll(/<(?:link|script)[^>]*(?:src|href)="(\/[^"]*)"/g)].map(
        ([, url = '']) => url,
      );
      expect(named).toEqual(files);
      for (const url of named) expect((await call(url)).status).toBe(200);
    });
  });

  describe('GET /docs', () => {
    it('200 with a page that may load nothing from other hosts', async () => {
      const { status, headers } = await call('/docs');
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      const policy = String(headers['content-security-policy']).split('; ').sort();
      expect(policy).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
      ]);
    });

    it('names only files of this gateway, and all of them have the same headers', async () => {
      const named = await namedByPage();
      expect(named).toEqual(expect.arrayContaining(['/docs/docs.css', '/docs/quick-start', '/openapi.json']));
      for (const url of named) {
        expect(url).toMatch(/^\/(?!\/)/);
        const { status, headers, body } = await call(url);
        expect([url, status]).toEqual([url, 200]);
        expect(body.length).toBeGreaterThan(0);
        expect(headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'strict-transport-security': expect.stringContaining('max-age='),
          'content-security-policy': expect.stringContaining("default-src 'none'"),
        });
      }
    });

    it('contains no script, style or handler in the page itself', async () => {
      const page = String((await call('/docs')).body);
      expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
    });

    it('404 for a file that does not exist', async () => {
      for (const target of ['/docs/package.json', '/docs/', '/docs/index.html', '/docs/../package.json']) {
        const { status, body } = await call(target);
        expect([status, JSON.parse(String(body))]).toMatchObject([404, { code: 'route_not_found' }]);
      }
    });
  });

  describe.each(['/openapi.json', '/docs', '/docs/docs.css', '/docs/search-index.json'])(
    'GET %s',
    (target) => {
      it('304 to a client that has it already, with a request each time', async () => {
        const { headers } = await call(target);
        expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'accept-encoding' });
        const again = await call(target, { 'if-none-match': `"other", ${String(headers['etag'])}` });
        expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, headers['etag']]);
        expect((await call(target, { 'if-none-match': '"other"' })).status).toBe(200);
      });

      it('is compressed for clients that accept gzip', async () => {
        const plain = await call(target);
        const { headers, body } = await call(target, { 'accept-encoding': 'br, gzip' });
        expect(headers['content-encoding']).toBe('gzip');
        expect(gunzipSync(body)).toEqual(plain.body);
      });

      it('HEAD has the headers without the body', async () => {
        const { status, headers, body } = await call(target, {}, 'HEAD');
        expect([status, body.length]).toEqual([200, 0]);
        expect(headers['etag']).toBe((await call(target)).headers['etag']);
      });
    },
  );
});
