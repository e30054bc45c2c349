import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { entityTag, isNotModified } from '@plimsoll/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);

/** A file that is kept in memory and sent as it is, or compressed to those who take that. */
export class ServedFile {
  private readonly etag: string;
  private compressed?: Promise<Buffer>;

  constructor(
    private readonly type: string,
    private readonly body: Buffer,
  ) {
    this.etag = entityTag(body);
  }

  /** Answers 200, or 304 to who has it already. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // A new version of the gateway has other files under the same names: they are asked for each time, and mostly 304.
    void reply.headers({ etag: this.etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
    if (isNotModified(request.headers['if-none-match'], this.etag)) return reply.status(304).send();
    void reply.type(this.type);
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(this.body);
    this.compressed ??= compress(this.body);
    return reply.header('content-encoding', 'gzip').send(await this.compressed);
  }
}
