import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);

/** A file that is kept in memory and sent as it is, or compressed to those who take that. */
export class ServedFile {
  /** Weak, because both forms have it. */
  private readonly etag: string;
  private compressed?: Promise<Buffer>;

  constructor(
    private readonly type: string,
    private readonly body: Buffer,
  ) {
    this.etag = `W/"${createHash('sha256').update(body).digest('base64url')}"`;
  }

  /** Answers 200, or 304 to who has it already. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // A new version of the gateway has other files under the same names: they are asked for each time, and mostly 304.
    void reply.headers({ etag: this.etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
    // The tag is a digest in quotes: it stands in the list of tags as it is, or not at all.
    if (request.headers['if-none-match']?.includes(this.etag)) return reply.status(304).send();
    void reply.type(this.type);
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(this.body);
    this.compressed ??= compress(this.body);
    return reply.header('content-encoding', 'gzip').send(await this.compressed);
  }
}
