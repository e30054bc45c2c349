import { serviceEnvironment, type ServiceContext, type ServiceName } from './service-environment';

const context: ServiceContext = {
  databaseUrl: 'postgresql://db/plimsoll',
  redisUrl: 'redis://redis',
  kafkaBrokers: 'kafka:9092',
  rpcUrls: new Map([
    [1, 'http://127.0.0.1:8545'],
    [8453, 'http://127.0.0.1:8546'],
  ]),
  registryOverlay: 'overlay.json',
  ports: new Map<ServiceName, number>([
    ['gateway', 4000],
    ['positions', 4001],
    ['webhook-delivery', 4003],
  ]),
  operationsPorts: new Map<ServiceName, number>([['gateway', 4500]]),
  keeper: { file: 'keeper.json', password: 'local' },
  secrets: {
    identityKeys: 'local:identity',
    webhookSecretKeys: 'local:webhook',
    receiptSecretKeys: 'local:receipt',
  },
};

describe('serviceEnvironment', () => {
  it('gives the gateway its upstreams, and no other service', () => {
    const env = serviceEnvironment('gateway', 4000, context);
    expect(env).toMatchObject({ PORT: '4000', HOST: '127.0.0.1', REDIS_URL: 'redis://redis' });
    expect(env['UPSTREAM_WEBHOOK_DELIVERY']).toBe('http://127.0.0.1:4003');
    expect(env).not.toHaveProperty('UPSTREAM_GATEWAY');
  });

  it('gives each service a port for its metrics', () => {
    expect(serviceEnvironment('gateway', 4000, context)['OPERATIONS_PORT']).toBe('4500');
  });

  it('gives the gateway alone the control port of the local market', () => {
    const own = { ...context, localMarket: { url: 'http://127.0.0.1:5000', token: 'local:market' } };
    const variables = { LOCAL_MARKET_URL: 'http://127.0.0.1:5000', LOCAL_MARKET_TOKEN: 'local:market' };
    expect(serviceEnvironment('gateway', 4000, own)).toMatchObject(variables);
    expect(serviceEnvironment('positions', 4001, own)).not.toHaveProperty('LOCAL_MARKET_TOKEN');
    expect(serviceEnvironment('gateway', 4000, context)).not.toHaveProperty('LOCAL_MARKET_URL');
  });

  it('permits only this machine to set the client address', () => {
    expect(serviceEnvironment('gateway', 4000, context)['TRUSTED_PROXIES']).toBe('127.0.0.0/8,::1/128');
  });

  it('gives alerts the services that it calls, and no others', () => {
    const env = serviceEnvironment('alerts', 4002, context);
    expect(Object.keys(env).filter((name) => name.startsWith('UPSTREAM_'))).toEqual([
      'UPSTREAM_POSITIONS',
      'UPSTREAM_WEBHOOK_DELIVERY',
    ]);
  });

  it('gives simulation only positions', () => {
    const env = serviceEnvironment('simulation', 4005, context);
    expect(Object.keys(env).filter((name) => name.startsWith('UPSTREAM_'))).toEqual(['UPSTREAM_POSITIONS']);
  });

  it('gives execution the keeper, the chains, positions and prices', () => {
    const env = serviceEnvironment('execution', 4008, context);
    expect(env).toMatchObject({ KEYSTORE_FILE: 'keeper.json', RPC_URL_8453: 'http://127.0.0.1:8546' });
    expect(Object.keys(env).filter((name) => name.startsWith('UPSTREAM_'))).toEqual(['UPSTREAM_POSITIONS']);
  });

  it('gives positions every chain over HTTP and WebSocket', () => {
    expect(serviceEnvironment('positions', 4001, context)).toMatchObject({
      RPC_URL_1: 'http://127.0.0.1:8545',
      RPC_WS_URL_8453: 'ws://127.0.0.1:8546',
      REGISTRY_OVERLAY: 'overlay.json',
    });
  });

  it('gives market-data the feeds of every chain', () => {
    expect(serviceEnvironment('market-data', 4005, context)).toMatchObject({
      RPC_URL_1: 'http://127.0.0.1:8545',
      RPC_URL_8453: 'http://127.0.0.1:8546',
      REGISTRY_OVERLAY: 'overlay.json',
    });
  });

  it('names the gateway to webhook-delivery, so that no webhook goes to it', () => {
    expect(serviceEnvironment('webhook-delivery', 4003, context)['PUBLIC_URL']).toBe('http://127.0.0.1:4000');
    const alone = { ...context, ports: new Map<ServiceName, number>([['webhook-delivery', 4003]]) };
    expect(serviceEnvironment('webhook-delivery', 4003, alone)).not.toHaveProperty('PUBLIC_URL');
  });

  it('opens loopback to webhooks and to no other service', () => {
    expect(serviceEnvironment('webhook-delivery', 4003, context)['WEBHOOK_ALLOW_CIDRS']).toBe(
      '127.0.0.0/8,::1/128',
    );
    expect(serviceEnvironment('alerts', 4002, context)).not.toHaveProperty('WEBHOOK_ALLOW_CIDRS');
  });
});
