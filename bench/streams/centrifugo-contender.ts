import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFreePort } from '@plimsoll/local-parts';
import { waitFor } from '@plimsoll/testing';
import { stampedMessage } from './message';
import type { Contender } from './types';

const KEY = 'bench';
const CHANNEL = 'bench';

/** Starts Centrifugo (version 6) with its memory engine and publishes through its HTTP API. */
export async function startCentrifugo(binary: string, folder: string): Promise<Contender> {
  const port = await findFreePort();
  const config = path.join(folder, `centrifugo-${port}.json`);
  const settings = {
    client: { allow_anonymous_connect_without_token: true, allowed_origins: ['*'] },
    channel: { without_namespace: { allow_subscribe_for_client: true, allow_subscribe_for_anonymous: true } },
    http_api: { key: KEY },
    http_server: { address: '127.0.0.1', port },
    health: { enabled: true },
    log: { level: 'error' },
  };
  writeFileSync(config, JSON.stringify(settings));
  const child = spawn(binary, ['-c', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  await waitFor(async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok, {
    message: 'Centrifugo is ready',
    timeoutMs: 20_000,
  });
  const publish = async (): Promise<void> => {
    await fetch(`http://127.0.0.1:${port}/api/publish`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ channel: CHANNEL, data: JSON.parse(stampedMessage()) as object }),
      signal: AbortSignal.timeout(5_000),
    });
  };
  return {
    pid: child.pid ?? 0,
    target: {
      port,
      protocol: 'centrifugo',
      path: '/connection/websocket',
      headers: [{}],
      greetings: ['{"id":1,"connect":{}}', `{"id":2,"subscribe":{"channel":"${CHANNEL}"}}`],
    },
    broadcast: (messagesPerSecond) => {
      const timer = setInterval(() => void publish().catch(console.error), 1_000 / messagesPerSecond);
      return {
        stop: async () => {
          clearInterval(timer);
        },
      };
    },
    end: async () => {
      const exit = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exit;
    },
  };
}
