import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import type { RawCommand, RawMeasurement } from './raw';

const secret = randomBytes(32).toString('base64');
const CONNECTIONS = 32;
const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });

/** The least work of any sender: sign a body and post it over kept-alive connections. */
async function post(url: URL, body: string, id: number): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
    'x-service-event-id': `raw-${id}`,
  };
  const { origin, pathname: path } = url;
  const response = await agent.request({ origin, path, method: 'POST', headers, body });
  await response.body.dump();
}

async function postAll({ url: text, body, count, perSecond }: RawCommand): Promise<void> {
  const url = new URL(text);
  const startedAtMs = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const at = (next += 1);
      if (perSecond !== null) {
        const waitMs = startedAtMs + (at * 1_000) / perSecond - performance.now();
        if (waitMs > 0) await delay(waitMs);
      }
      await post(url, body, at);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}

async function measure(command: RawCommand): Promise<RawMeasurement> {
  const cpu = process.cpuUsage();
  const startedAtMs = performance.now();
  await postAll(command);
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  return {
    perSecond: Math.round(command.count / seconds),
    cpuMs: (user + system) / 1_000 / command.count,
  };
}

process.on('message', (command: RawCommand) => {
  void measure(command).then((measurement) => process.send?.(measurement));
});
