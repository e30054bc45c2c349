import { createServer } from 'node:net';
import { PartError } from './part-error';

const MAX_ATTEMPTS = 4;

/** A port of 127.0.0.1 that was free a moment ago. */
export function findFreePort(): Promise<number> {
  return listenOnce(0);
}

/** True when nothing listens on this port of 127.0.0.1. */
export async function isPortFree(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a server on `port`, or on a free one when undefined. If another process takes the free port in
 * between, it tries a new one. Throws PartError port_taken.
 */
export async function startOnPort<T>(
  name: string,
  port: number | undefined,
  start: (port: number) => Promise<T>,
): Promise<T> {
  if (port !== undefined) {
    if (await isPortFree(port)) return start(port);
    throw new PartError(
      'port_taken',
      `${name}: port ${port} of 127.0.0.1 is taken`,
      'Stop the process that listens there, or choose another port',
    );
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await findFreePort());
    } catch (error) {
      if (!(error instanceof PartError && error.code === 'port_taken') || attempt === MAX_ATTEMPTS)
        throw error;
    }
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}
