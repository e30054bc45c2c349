import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

const THRESHOLD_BYTES = 1_024;
/**
 * Up to this size synchronous compression costs half the CPU of a stream and blocks the event loop for less
 * than half a millisecond.
 */
const SYNC_BYTES = 16_384;
const BROTLI_QUALITY = 4;

/**
 * Compresses JSON and CSV responses of 1 KiB and more with brotli or gzip when the client accepts it. Large responses
 * are compressed as a stream outside of the event loop. Call it before the routes exist and after
 * serveConditionalGets, because the entity tag is that of the plain response. Compressed request bodies are
 * rejected.
 */
export async function compressResponses(fastify: FastifyInstance): Promise<void> {
  await fastify.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: THRESHOLD_BYTES,
    syncThreshold: SYNC_BYTES,
    customTypes: /^(?:application\/(?:[\w.-]+\+)?json|text\/csv)\b/,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  });
}
