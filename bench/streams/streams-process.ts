import { spawn } from 'node:child_process';
import { findFreePort, workspaceRoot } from '@plimsoll/local-parts';
import { waitFor } from '@plimsoll/testing';
import { NODE_ARGS } from './node-args';

/** The parts that the service needs. Each start has its own topics. */
export interface StreamsParts {
  brokers: string[];
  topicPrefix: string;
  redisUrl: string;
  /** Arguments of the process, beside those of every contender. */
  nodeArgs?: readonly string[];
  /** Variables beside those of its parts. */
  env?: Readonly<Record<string, string>>;
}

/** The built service in a separate process. */
export interface StreamsProcess {
  pid: number;
  port: number;
  operationsPort: number;
  end(): Promise<void>;
}

/** Starts the service and waits until it has read the log. */
export async function startStreams(parts: StreamsParts, identityKeys: string): Promise<StreamsProcess> {
  const [port, operationsPort] = [await findFreePort(), await findFreePort()];
  const child = spawn(
    process.execPath,
    [...NODE_ARGS, ...(parts.nodeArgs ?? []), 'dist/apps/streams/main.js'],
    {
      cwd: workspaceRoot(),
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: String(port),
        OPERATIONS_PORT: String(operationsPort),
        LOG_LEVEL: 'error',
        IDENTITY_KEYS_FOLDER: identityKeys,
        KAFKA_BROKERS: parts.brokers.join(','),
        KAFKA_TOPIC_PREFIX: parts.topicPrefix,
        KAFKA_PARTITIONS: '2',
        REDIS_URL: parts.redisUrl,
        ...parts.env,
      },
    },
  );
  await waitFor(async () => (await fetch(`http://127.0.0.1:${operationsPort}/health/ready`)).ok, {
    message: 'the service is ready; build it with npm run build',
    timeoutMs: 60_000,
  });
  return {
    pid: child.pid ?? 0,
    port,
    operationsPort,
    end: async () => {
      const exit = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exit;
    },
  };
}
