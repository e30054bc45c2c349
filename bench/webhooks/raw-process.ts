import { createHmac, randomBytes } from 'node:crypto';
import { Agent } from 'undici';
import type { RawCommand, RawMeasurement } from './raw';

/** What any sender has to do at the least: sign a body and post it over kept-alive connections. */
async function post(agent: Agent, url: URL, body: string, secret: string, id: number): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
    'x-service-event-id': `raw-${id}`,
  };
  const { origin, pathname: path } = url;
  const answer = await agent.request({ origin, path, method: 'POST', headers, body });
  await answer.body.dump();
}

async function postAll(command: RawCommand, count: number): Promise<void> {
  const agent = new Agent({ connections: command.connections, pipelining: 1 });
  const url = new URL(command.url);
  const secret = randomBytes(32).toString('base64');
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await post(agent, url, command.body, secret, next);
    }
  };
  await Promise.all(Array.from({ length: command.connections }, lane));
  await agent.close();
}

process.once('message', (command: RawCommand) => {
  void (async () => {
    await postAll(command, command.warmUp);
    const cpu = process.cpuUsage();
    const startedAt = performance.now();
    await postAll(command, command.count);
    const { user, system } = process.cpuUsage(cpu);
    const seconds = (performance.now() - startedAt) / 1_000;
    const measurement: RawMeasurement = {
      perSecond: Math.round(command.count / seconds),
      cpuMs: (user + system) / 1_000 / command.count,
    };
    process.send?.(measurement);
  })();
});
