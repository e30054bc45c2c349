import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const TEXT_TYPE = /^(?:application\/(?:[\w.-]+\+)?json|text\/csv)\b/;
const OPAQUE_TAG = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Returns the entity tag of a response. It is weak, because the same response is sent plain and compressed
 * (RFC 9110, 8.8.3.3).
 */
export function entityTag(body: string | Buffer): string {
  return `W/"${hash('sha1', body, 'base64url')}"`;
}

/**
 * Whether If-None-Match (a list of tags, or `*`) contains this tag, by the weak comparison (RFC 9110,
 * 13.1.2).
 */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const tag = etag.replace(/^W\//, '');
  return ifNoneMatch.match(OPAQUE_TAG)?.includes(tag) ?? false;
}

/**
 * Adds ETag and Vary to every 200 with JSON or CSV of a GET or HEAD, and responds with 304 without a body when the client
 * has the same version. Only the caller may cache the response and must revalidate it each time (`private,
 * no-cache`). Errors and responses to other methods must not be cached (`no-store`). Headers that a handler
 * has set remain.
 *
 * @fastify/etag does not fit: it accepts no list and no `*`, and it also sends 304 to a POST and for an
 * error.
 */
export function serveConditionalGets(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || reply.statusCode >= 400) setDefault(reply, 'cache-control', 'no-store');
    else if (reply.statusCode === 200 && isText(reply, payload)) {
      setDefault(reply, 'cache-control', 'private, no-cache');
      setDefault(reply, 'vary', 'accept-encoding');
      setDefault(reply, 'etag', entityTag(payload));
      if (isNotModified(request.headers['if-none-match'], String(reply.getHeader('etag')))) {
        void reply.status(304);
        done(null, withoutBody(request, reply, payload));
        return;
      }
    }
    done(null, payload);
  });
}

/** Fastify removes the body from a HEAD response and needs it to set the headers. */
function withoutBody(request: FastifyRequest, reply: FastifyReply, payload: string | Buffer): unknown {
  if (request.method === 'HEAD') return payload;
  void reply.removeHeader('content-length');
  return null;
}

function isText(reply: FastifyReply, payload: unknown): payload is string | Buffer {
  const type = String(reply.getHeader('content-type') ?? '');
  return TEXT_TYPE.test(type) && (typeof payload === 'string' || Buffer.isBuffer(payload));
}

function setDefault(reply: FastifyReply, name: string, value: string): void {
  if (!reply.hasHeader(name)) void reply.header(name, value);
}
