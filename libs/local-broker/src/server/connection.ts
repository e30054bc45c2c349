import { once } from 'node:events';
import type { Socket } from 'node:net';
import { apiVersions } from '../protocol/apis';
import { ERROR } from '../protocol/error-codes';
import { MalformedMessageError, Reader } from '../protocol/reader';
import { isFlexible } from '../protocol/schema';
import { Writer } from '../protocol/writer';
import type { BoundApi, RequestContext } from './bound-api';
import type { Budget } from './budget';
import { FrameSizeError, readFrames } from './frames';
import type { BrokerLogger } from './options';

export interface ConnectionOptions {
  apis: ReadonlyMap<number, BoundApi>;
  requestBudget: Budget;
  maxRequestBytes: number;
  idleTimeoutMs: number;
  logger: BrokerLogger;
}

interface RequestHeader {
  apiKey: number;
  version: number;
  correlationId: number;
  clientId: string;
}

/** A request that this broker does not support: it ends the connection, as in Kafka. */
class UnsupportedVersionError extends Error {
  override readonly name = 'UnsupportedVersionError';
}

/**
 * Handles the requests of one connection, one at a time and in order. Resolves when the connection has ended.
 */
export async function serveConnection(socket: Socket, options: ConnectionOptions): Promise<void> {
  const { logger, requestBudget, maxRequestBytes } = options;
  socket.setNoDelay(true);
  socket.setTimeout(options.idleTimeoutMs, () => socket.destroy());
  socket.on('error', (error) => logger.debug(`connection: ${error.message}`));
  try {
    for await (const frame of readFrames(socket, requestBudget, maxRequestBytes)) {
      await serveRequest(socket, frame, options);
      if (socket.destroyed) return;
    }
  } catch (error) {
    if (!isExpected(error)) logger.error(`connection closed: ${(error as Error).stack ?? String(error)}`);
    else if (!socket.destroyed) logger.warn(`connection closed: ${(error as Error).message}`);
  } finally {
    socket.destroy();
  }
}

async function serveRequest(socket: Socket, frame: Buffer, { apis }: ConnectionOptions): Promise<void> {
  const prefix = new Reader(frame);
  const header: RequestHeader = {
    apiKey: prefix.int16(),
    version: prefix.int16(),
    correlationId: prefix.int32(),
    clientId: prefix.nullableString() ?? '',
  };
  const bound = apis.get(header.apiKey);
  if (!bound || header.version < bound.api.minVersion || header.version > bound.api.maxVersion) {
    if (header.apiKey !== apiVersions.key) {
      throw new UnsupportedVersionError(
        `UNSUPPORTED_VERSION: API ${header.apiKey} version ${header.version} of client ${header.clientId}`,
      );
    }
    await send(socket, header.correlationId, unsupportedApiVersions());
    return;
  }
  const released: (() => void)[] = [];
  const context: RequestContext = {
    clientId: header.clientId,
    clientHost: `/${socket.remoteAddress ?? ''}`,
    version: header.version,
    onSent: (release) => released.push(release),
  };
  try {
    const flexible = isFlexible(bound.api, header.version);
    const body = new Reader(frame.subarray(frame.length - prefix.remaining), header.version, flexible);
    body.skipTaggedFields();
    const response = await bound.handle(body, context);
    if (response) await send(socket, header.correlationId, response);
  } finally {
    for (const release of released) release();
  }
}

/** Version 0 of ApiVersions, which every client reads, with only the versions of ApiVersions. */
function unsupportedApiVersions(): Writer {
  const writer = new Writer(0);
  const { key, minVersion, maxVersion } = apiVersions;
  const apiKeys = [{ apiKey: key, minVersion, maxVersion }];
  apiVersions.response.write(writer, { errorCode: ERROR.UNSUPPORTED_VERSION, apiKeys, throttleTimeMs: 0 });
  return writer;
}

/** Resolves when the operating system has accepted the response, or the connection is closed. */
async function send(socket: Socket, correlationId: number, response: Writer): Promise<void> {
  if (socket.destroyed) return;
  const header = Buffer.allocUnsafe(8);
  header.writeInt32BE(response.length + 4, 0);
  header.writeInt32BE(correlationId, 4);
  socket.cork();
  let isBelowMark = socket.write(header);
  for (const chunk of response.chunks()) isBelowMark = socket.write(chunk);
  socket.uncork();
  if (isBelowMark) return;
  const gone = new AbortController();
  const onClose = (): void => gone.abort();
  socket.once('close', onClose);
  await once(socket, 'drain', { signal: gone.signal }).catch(() => undefined);
  socket.off('close', onClose);
}

function isExpected(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return (
    error instanceof MalformedMessageError ||
    error instanceof FrameSizeError ||
    error instanceof UnsupportedVersionError ||
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    code === 'ERR_STREAM_PREMATURE_CLOSE'
  );
}
