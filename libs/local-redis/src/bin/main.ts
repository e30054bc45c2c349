import { parseArgs } from 'node:util';
import { startLocalRedis } from '../server/server';

export const HELP = `Usage: local-redis --data-dir FOLDER [--host ADDRESS] [--port PORT]

A Redis for one machine. It prints one line when it is ready: listening on HOST:PORT. SIGINT and SIGTERM end it cleanly.

  --data-dir FOLDER   holds the append-only file; made when it is absent
  --host ADDRESS      127.0.0.1 (the default) or ::1; any other address is refused
  --port PORT         0, the default, takes a free port`;

/** Runs the server until a stop signal. Resolves with the exit code. */
export async function main(words: string[]): Promise<number> {
  try {
    const { values } = parseArgs({
      args: words,
      options: {
        'data-dir': { type: 'string' },
        host: { type: 'string', default: '127.0.0.1' },
        port: { type: 'string', default: '0' },
        help: { type: 'boolean' },
      },
    });
    const { 'data-dir': dataDir, host, port, help } = values;
    if (help || dataDir === undefined || !/^\d{1,5}$/.test(port)) {
      process.stdout.write(`${HELP}\n`);
      return help ? 0 : 2;
    }
    const redis = await startLocalRedis({ dataDir, port: Number(port), host });
    process.stdout.write(`listening on ${host}:${redis.port}\n`);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void redis.close());
    await redis.stopped;
    return 0;
  } catch (error) {
    process.stderr.write(`local-redis: ${(error as Error).message}\n`);
    return 1;
  }
}
