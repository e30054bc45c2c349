import { parseArgs } from 'node:util';
import { startBroker } from '../server/broker';
import type { BrokerLogger, BrokerOptions } from '../server/options';

export const HELP = `Usage: local-broker --data-dir FOLDER [--host ADDRESS] [--port PORT]

A Kafka broker for one machine. It prints one line when it is ready: listening on HOST:PORT.
SIGINT, SIGTERM, or the message "stop" of a parent process with a channel end it cleanly.

  --data-dir FOLDER   holds all data; made when it is absent
  --host ADDRESS      127.0.0.1 (the default), ::1 or localhost; any other address is refused
  --port PORT         0, the default, takes a free port`;

/** An invalid command line. The message states the necessary change. */
export class UsageError extends Error {}

/** Null: the command line requests help. Throws UsageError. */
export function parseArguments(words: string[]): Pick<BrokerOptions, 'dataDir' | 'host' | 'port'> | null {
  const options = {
    'data-dir': { type: 'string' },
    host: { type: 'string' },
    port: { type: 'string' },
    help: { type: 'boolean' },
  } as const;
  let values: { 'data-dir'?: string; host?: string; port?: string; help?: boolean };
  try {
    ({ values } = parseArgs({ args: words, options }));
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
  if (values.help) return null;
  if (!values['data-dir']) throw new UsageError('--data-dir is missing.');
  if (values.port !== undefined && !/^\d{1,5}$/.test(values.port)) {
    throw new UsageError(`--port is ${values.port}: it must be a number from 0 to 65535.`);
  }
  return {
    dataDir: values['data-dir'],
    host: values.host,
    port: values.port === undefined ? undefined : Number(values.port),
  };
}

/** Runs the broker until a stop signal. Resolves with the exit code. */
export async function main(words: string[]): Promise<number> {
  try {
    const options = parseArguments(words);
    if (!options) {
      process.stdout.write(`${HELP}\n`);
      return 0;
    }
    const stopAsked = waitForStop();
    const broker = await startBroker({ ...options, logger: stderrLogger() });
    process.stdout.write(`listening on ${broker.url}\n`);
    await stopAsked;
    await broker.stop();
    return 0;
  } catch (error) {
    process.stderr.write(`local-broker: ${(error as Error).message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Windows has no signal that a process can catch, so the parent sends a message there. */
function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
    process.once('disconnect', () => resolve());
    process.on('message', (message) => {
      if (message === 'stop') resolve();
    });
  });
}

function stderrLogger(): BrokerLogger {
  const write =
    (level: string) =>
    (message: string): void => {
      process.stderr.write(`${new Date().toISOString()} ${level} ${message}\n`);
    };
  return { debug: () => undefined, info: write('info'), warn: write('warn'), error: write('error') };
}
