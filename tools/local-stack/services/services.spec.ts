import path from 'node:path';
import type { ServiceContext, ServiceName } from './service-environment';
import { presentServices, servicesInput } from './services';

const root = path.join(__dirname, '../../..');
const context: ServiceContext = {
  databaseUrl: 'postgresql://plimsoll@127.0.0.1:15432/plimsoll',
  redisUrl: 'redis://127.0.0.1:16379',
  kafkaBrokers: '127.0.0.1:19092',
  rpcUrls: new Map([
    [1, 'http://127.0.0.1:18545'],
    [8453, 'http://127.0.0.1:18546'],
  ]),
  registryOverlay: path.join(root, '.local/registry-overlay.json'),
  ports: new Map(),
  keeper: { file: path.join(root, '.local/keeper.json'), password: 'local' },
  secrets: { identityKeys: 'local:'.padEnd(50, 'i'), webhookSecretKeys: 'local:'.padEnd(50, 'w') },
};

describe('servicesInput', () => {
  const ports = new Map(
    presentServices(root).map(({ name }, at): [ServiceName, number] => [name, 4000 + at]),
  );
  const services = JSON.parse(servicesInput(ports, { ...context, ports }, root)) as {
    file: string;
    env: Record<string, string>;
  }[];

  it('names each service with its bundle and its own variables', () => {
    expect(services.map(({ env: { LOG_NAME } }) => LOG_NAME)).toEqual([...ports.keys()]);
    expect(services[0]).toMatchObject({
      file: path.join(root, 'dist/apps/gateway/main.js'),
      env: { PORT: '4000', LOG_NAME: 'gateway' },
    });
  });
});
