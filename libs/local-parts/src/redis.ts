import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { startOnPort } from './free-port';
import { startServer } from './part-process';
import { findRedisServer } from './redis-binary';
import type { PartOptions, RunningPart } from './running-part';
import { defaultCacheDir } from './workspace';

/** Options of startRedis. */
export interface RedisPartOptions extends PartOptions {
  /** One more port, with TLS. The files are PEM. */
  tls?: { port: number; certFile: string; keyFile: string };
}

/**
 * Redis from the PATH, or from a downloaded binary. Its data survives a restart (append-only file). Throws
 * PartError.
 */
export async function startRedis(options: RedisPartOptions): Promise<RunningPart> {
  const { dataDir, logFile, cacheDir = defaultCacheDir(), readyTimeoutMs, tls } = options;
  await mkdir(dataDir, { recursive: true });
  const file = await findRedisServer(cacheDir);
  return startOnPort('redis', options.port, (port) =>
    startServer({
      name: 'redis',
      url: `redis://127.0.0.1:${port}`,
      port,
      file,
      args: [
        '--bind',
        '127.0.0.1',
        '--port',
        String(port),
        '--dir',
        dataDir,
        '--save',
        '',
        '--appendonly',
        'yes',
        ...(tls ? tlsArguments(tls) : []),
      ],
      cwd: dataDir,
      logFile,
      isReady: (signal) => respondsToPing(port, signal),
      readyTimeoutMs,
    }),
  );
}

function tlsArguments({ port, certFile, keyFile }: NonNullable<RedisPartOptions['tls']>): string[] {
  const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile];
  return ['--tls-port', String(port), ...files, '--tls-auth-clients', 'no'];
}

/** Whether a Redis on this port of loopback responds. Rejects when nothing listens. */
export function respondsToPing(port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, signal });
    socket.setTimeout(1_000, () => socket.destroy(new Error('no response to PING')));
    socket.once('error', reject);
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (response) => {
      resolve(response.toString('latin1').startsWith('+PONG'));
      socket.destroy();
    });
  });
}
