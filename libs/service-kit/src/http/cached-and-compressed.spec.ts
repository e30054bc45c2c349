import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Controller, Get, Header, Module, Post, Query } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { notFound } from '@plimsoll/contracts';
import { IsString } from 'class-validator';
import { request } from 'undici';
import { testIdentityKeys } from '@plimsoll/testing';
import { ServiceConfig } from '../config/service.config';
import { createService } from '../create-service';
import { WithoutIdentity } from '../identity/identity.guard';

const wallets = (count: number) => ({
  wallets: Array.from({ length: count }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`),
});

class TextQuery {
  @IsString()
  text!: string;
}

@Controller('v1')
@WithoutIdentity()
class SampleController {
  @Get('small')
  small() {
    return wallets(1);
  }

  @Get('text')
  length(@Query() { text }: TextQuery) {
    return { length: text.length };
  }

  @Get('large')
  large() {
    return wallets(200);
  }

  @Get('huge')
  huge() {
    return wallets(20_000);
  }

  @Get('own')
  @Header('etag', '"own"')
  @Header('cache-control', 'public, max-age=60')
  own() {
    return wallets(1);
  }

  @Get('missing')
  missing(): never {
    throw notFound('sample');
  }

  @Post('large')
  post() {
    return wallets(200);
  }
}

@Module({ controllers: [SampleController] })
class SampleModule {}

describe('a response of a service', () => {
  let app: NestFastifyApplication;
  let url: string;

  beforeAll(async () => {
    const config = Object.assign(new ServiceConfig(), {
      LOG_LEVEL: 'silent',
      IDENTITY_KEYS_FOLDER: testIdentityKeys(),
    });
    app = await createService(SampleModule, config);
    await app.listen(0, '127.0.0.1');
    url = `${await app.getUrl()}/v1`;
  });
  afterAll(() => app.close());

  const call = async (
    method: 'GET' | 'HEAD' | 'POST',
    path: string,
    headers: Record<string, string> = {},
  ) => {
    const { statusCode, headers: received, body } = await request(`${url}/${path}`, { method, headers });
    return { status: statusCode, headers: received, body: Buffer.from(await body.arrayBuffer()) };
  };
  const etagOf = async (path: string): Promise<string> => String((await call('GET', path)).headers['etag']);

  it('GET 200 carries a stable weak ETag and Vary, and only the caller may cache it', async () => {
    const { headers } = await call('GET', 'small');
    expect(headers).toMatchObject({
      etag: expect.stringMatching(/^W\/"/),
      vary: 'accept-encoding',
      'cache-control': 'private, no-cache',
    });
    expect(await etagOf('small')).toBe(headers['etag']);
    expect(await etagOf('large')).not.toBe(headers['etag']);
  });

  it.each([
    ['the tag', (etag: string) => etag],
    ['the tag as a strong one', (etag: string) => etag.slice(2)],
    ['a list with it', (etag: string) => `"x", ${etag}`],
    ['*', () => '*'],
  ])('responds with 304, the same headers and no body to %s', async (_, ifNoneMatch) => {
    const known = await call('GET', 'large');
    const response = await call('GET', 'large', {
      'if-none-match': ifNoneMatch(String(known.headers['etag'])),
      'x-request-id': 'again',
      'accept-encoding': 'br',
    });
    expect(response.status).toBe(304);
    expect(response.body).toHaveLength(0);
    expect(response.headers).toMatchObject({
      etag: known.headers['etag'],
      vary: 'accept-encoding',
      'cache-control': 'private, no-cache',
      'x-request-id': 'again',
    });
    expect(response.headers).not.toHaveProperty('content-length');
    expect(response.headers).not.toHaveProperty('content-encoding');
  });

  it('HEAD has the headers of GET, also for 304, and no body', async () => {
    const get = await call('GET', 'small');
    const head = await call('HEAD', 'small');
    expect([head.status, head.body.length]).toEqual([200, 0]);
    for (const name of ['etag', 'vary', 'cache-control', 'content-type', 'content-length'])
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    const again = await call('HEAD', 'small', { 'if-none-match': String(get.headers['etag']) });
    expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, get.headers['etag']]);
    expect((await call('HEAD', 'huge', { 'accept-encoding': 'gzip' })).status).toBe(200);
  });

  it('an error and a response to POST have no ETag, are never 304, and must not be cached', async () => {
    for (const [method, path, status] of [
      ['GET', 'missing', 404],
      ['GET', 'nowhere', 404],
      ['POST', 'large', 201],
    ] as const) {
      const response = await call(method, path, { 'if-none-match': '*' });
      expect(response.status).toBe(status);
      expect(response.headers['cache-control']).toBe('no-store');
      expect(response.headers).not.toHaveProperty('etag');
    }
  });

  it('keeps the cache headers of the handler', async () => {
    const { headers } = await call('GET', 'own');
    expect(headers).toMatchObject({ etag: '"own"', 'cache-control': 'public, max-age=60' });
    expect((await call('GET', 'own', { 'if-none-match': '"own"' })).status).toBe(304);
  });

  it.each([
    ['br', 'large', 'br', brotliDecompressSync],
    ['gzip', 'large', 'gzip', gunzipSync],
    ['gzip, br', 'huge', 'br', brotliDecompressSync],
    ['br;q=0, gzip;q=0.5', 'huge', 'gzip', gunzipSync],
  ])(
    'Accept-Encoding %s: sends %s as %s under the tag of the plain response',
    async (accept, path, encoding, open) => {
      const plain = await call('GET', path);
      const response = await call('GET', path, { 'accept-encoding': accept });
      expect(response.headers).toMatchObject({
        'content-encoding': encoding,
        etag: plain.headers['etag'],
        vary: 'accept-encoding',
      });
      expect(response.body.length).toBeLessThan(plain.body.length / 2);
      expect(open(response.body).equals(plain.body)).toBe(true);
    },
  );

  it('compresses a response to POST, but no response below 1 KiB and none without Accept-Encoding', async () => {
    expect((await call('POST', 'large', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe(
      'gzip',
    );
    for (const [path, accept] of [
      ['small', 'br, gzip'],
      ['large', 'identity'],
      ['large', 'deflate, zstd'],
      ['large', 'gzip;q=0'],
    ] as const) {
      const { headers } = await call('GET', path, { 'accept-encoding': accept });
      expect(headers).not.toHaveProperty('content-encoding');
    }
  });

  it('takes the largest headers of the gateway with those that it adds', async () => {
    const { status } = await call('GET', `text?text=${'a'.repeat(15_900)}`, { 'x-added': 'b'.repeat(2_000) });
    expect(status).toBe(200);
  });
});
