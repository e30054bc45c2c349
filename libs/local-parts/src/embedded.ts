import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { childEnvironment } from './child-environment';
import { startOnPort } from './free-port';
import { hasBroker } from './kafka/kafka';
import { startServer } from './part-process';
import { respondsToPing } from './redis';
import type { PartOptions, RunningPart } from './running-part';
import { workspaceRoot } from './workspace';

/** The broker of libs/local-broker in a separate process. Its data survives a restart. Throws PartError. */
export function startEmbeddedKafka(options: PartOptions): Promise<RunningPart> {
  return startEmbedded('kafka', 'local-broker', options, (port) => ({
    url: `127.0.0.1:${port}`,
    isReady: () => hasBroker(port),
  }));
}

/** The server of libs/local-redis in a separate process. Its data survives a restart. Throws PartError. */
export function startEmbeddedRedis(options: PartOptions): Promise<RunningPart> {
  return startEmbedded('redis', 'local-redis', options, (port) => ({
    url: `redis://127.0.0.1:${port}`,
    isReady: (signal) => respondsToPing(port, signal),
  }));
}

async function startEmbedded(
  name: string,
  library: string,
  { dataDir, logFile, port: wanted, nodeArgs = [], readyTimeoutMs }: PartOptions,
  serverOn: (port: number) => { url: string; isReady: (signal: AbortSignal) => Promise<boolean> },
): Promise<RunningPart> {
  await mkdir(dataDir, { recursive: true });
  const script = path.join(workspaceRoot(), 'tools/run-part.cjs');
  return startOnPort(name, wanted, (port) =>
    startServer({
      name,
      port,
      file: process.execPath,
      args: [...nodeArgs, script, library, '--data-dir', dataDir, '--port', String(port)],
      // Each allocation arena of glibc keeps memory of its own.
      env: childEnvironment({ MALLOC_ARENA_MAX: '1' }),
      logFile,
      readyTimeoutMs,
      ...serverOn(port),
    }),
  );
}
