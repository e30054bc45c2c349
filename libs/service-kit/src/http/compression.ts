import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

const THRESHOLD_BYTES = 1_024;
/** Up to here compressing at once costs half the CPU of a stream and holds the event loop for less than half a millisecond. */
const SYNC_BYTES = 16_384;
const BROTLI_QUALITY = 4;

/**
 * JSON of 1 KiB and more is compressed with brotli or gzip for callers that accept it (decisions.md, Headers); large
 * answers as a stream outside of the event loop. To be called before the routes are made, after answerConditionally:
 * the entity tag is that of the plain answer. Compressed request bodies are not taken.
 */
export async function compressAnswers(fastify: FastifyInstance): Promise<void> {
  await fastify.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: THRESHOLD_BYTES,
    syncThreshold: SYNC_BYTES,
    customTypes: /^application\/(?:[\w.-]+\+)?json\b/,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  });
}
