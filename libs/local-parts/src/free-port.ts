import { randomInt } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PartError } from './part-error';

const MAX_ATTEMPTS = 4;
/**
 * Below the ports that Linux, macOS and Windows give to outgoing connections, which could take one before its
 * server listens, and above the ports of `npm start`.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
/** A server listens within this time after it received its port. */
const RESERVED_MS = 120_000;

/**
 * Returns a port of 127.0.0.1 that is free, and that no other process of this machine receives from here within
 * two minutes.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = FIRST_PORT; tries <= LAST_PORT; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (reserve(port) && (await isPortFree(port))) return port;
  }
  throw new PartError(
    'port_taken',
    `no port from ${FIRST_PORT} to ${LAST_PORT} is free`,
    'Stop servers on this machine and start again',
  );
}

/** Reserves a port of findFreePort for two more minutes, because its server stops now and starts again. */
export function keepPort(port: number): void {
  if (port >= FIRST_PORT && port <= LAST_PORT) reserve(port);
}

/**
 * Reserves the port with a file in the folder of the current two minutes. Returns false when the port has a file
 * there or in the folder before.
 */
function reserve(port: number): boolean {
  const all = path.join(tmpdir(), 'plimsoll-ports');
  const now = Math.floor(Date.now() / RESERVED_MS);
  const folder = path.join(all, String(now));
  try {
    if (!existsSync(folder)) {
      mkdirSync(folder, { recursive: true });
      const old = readdirSync(all).filter((name) => Number(name) < now - 1);
      for (const name of old) rmSync(path.join(all, name), { recursive: true, force: true });
    }
    closeSync(openSync(path.join(folder, String(port)), 'wx'));
  } catch (error) {
    // Another user's folder cannot hold the reservation. The port is then only free.
    return (error as NodeJS.ErrnoException).code !== 'EEXIST';
  }
  return !existsSync(path.join(all, String(now - 1), String(port)));
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
