import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { entityTag, isNotModified } from '@plimsoll/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);

/** A file that the build compressed. Smallest first. */
export type Compressed = readonly { encoding: 'br' | 'gzip'; body: Buffer }[];

/** A file in memory that is sent plain, or compressed to clients that accept it. */
export class ServedFile {
  private readonly etag: string;
  private gzipped?: Promise<Buffer>;

  constructor(
    private readonly type: string,
    private readonly body: Buffer,
    /** A new version of the gateway has other files under the same names, so clients revalidate them each time. */
    private readonly cacheControl = 'no-cache',
    private readonly compressed: Compressed = [],
  ) {
    this.etag = entityTag(body);
  }

  /** Responds with 200, or with 304 to a client with the same version. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    void reply.headers({ etag: this.etag, 'cache-control': this.cacheControl, vary: 'accept-encoding' });
    if (isNotModified(request.headers['if-none-match'], this.etag)) return reply.status(304).send();
    void reply.type(this.type);
    const accepted = String(request.headers['accept-encoding']);
    const built = this.compressed.find(({ encoding }) => new RegExp(`\\b${encoding}\\b`).test(accepted));
    if (built) return reply.header('content-encoding', built.encoding).send(built.body);
    if (!/\bgzip\b/.test(accepted)) return reply.send(this.body);
    this.gzipped ??= compress(this.body);
    return reply.header('content-encoding', 'gzip').send(await this.gzipped);
  }
}
