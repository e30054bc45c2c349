import { parseArgs } from 'node:util';
import { startLocalRedis } from './server/server';

const HELP = `usage: main --dir FOLDER [--port N]

Starts a Redis for this machine. It listens on 127.0.0.1 and keeps its data in FOLDER.
  --dir    folder of the append-only file
  --port   0 (default): a free port
  --host   127.0.0.1 (default) or ::1
It prints one line of JSON with its URL when it is ready, and stops on SIGTERM or SIGINT.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string' },
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      help: { type: 'boolean' },
    },
  });
  if (values.help || values.dir === undefined) {
    process.stdout.write(`${HELP}\n`);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const redis = await startLocalRedis({ dataDir: values.dir, port: Number(values.port), host: values.host });
  process.stdout.write(`${JSON.stringify({ url: redis.url, port: redis.port, pid: process.pid })}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void redis.close());
  await redis.stopped;
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
