import { networkInterfaces } from 'node:os';
import { connect } from 'node:net';
import { type Attack, type Check, equal } from '../attack';
import { send } from '../client';

const CONNECT_MS = 1_000;

export const operations: Attack = {
  item: '9',
  title: 'metrics and readiness are not public',
  limitSeconds: 60,
  async run({ origin, services }) {
    const checks: Check[] = [];
    for (const path of ['/metrics', '/health/ready', '/health']) {
      checks.push(equal(`the gateway has no ${path}`, (await send(origin, 'GET', path)).status, 404));
    }
    const inner = await send(origin, 'GET', '/inner/readiness');
    checks.push(equal('the readiness for services needs an identity', inner.status, 401));
    for (const { name, url, operationsUrl } of services) {
      const open = [];
      for (const path of ['/metrics', '/health/ready']) {
        if ((await send(url, 'GET', path)).status !== 404) open.push(path);
      }
      checks.push(equal(`${name} has neither on the port of its API`, open, []));
      const port = Number(new URL(operationsUrl).port);
      const reachable = [];
      for (const address of foreignAddresses()) if (await accepts(address, port)) reachable.push(address);
      checks.push(equal(`${name} serves operators on loopback only`, reachable, []));
    }
    return checks;
  },
};

const foreignAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((each) =>
    (each ?? []).flatMap(({ internal, address, family }) => (internal || family !== 'IPv4' ? [] : [address])),
  );

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const settle = (isOpen: boolean) => (): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', settle(true)).once('error', settle(false)).once('timeout', settle(false));
  });
}
