import { SERVICES } from './endpoint';
import { audiencesOf, calledBy, mayCall } from './service-calls';

describe('audiencesOf', () => {
  it('is the service only when it calls none', () => {
    expect(audiencesOf('market-data')).toEqual(['market-data']);
  });

  it('is every service for the gateway', () => {
    expect(audiencesOf('gateway')).toEqual(SERVICES);
  });

  it('contains services that are reached through others, once', () => {
    expect(audiencesOf('ai').toSorted()).toEqual([
      'ai',
      'alerts',
      'execution',
      'market-data',
      'positions',
      'simulation',
      'webhook-delivery',
      'whales',
    ]);
  });
});

describe('calledBy', () => {
  it('is every other service for the gateway, and those of the table for others', () => {
    expect(calledBy('gateway')).toEqual(SERVICES.filter((each) => each !== 'gateway'));
    expect(calledBy('execution')).toEqual(['market-data', 'positions']);
    expect(calledBy('streams')).toEqual(['positions']);
    expect(calledBy('market-data')).toEqual([]);
  });
});

describe('mayCall', () => {
  it('permits the requests of the table', () => {
    expect(mayCall('simulation', 'positions', 'GET', '/v1/positions/pos_1')).toBe(true);
    expect(mayCall('alerts', 'execution', 'POST', '/inner/execution/readiness')).toBe(true);
  });

  it('permits no other method, path, service or direction', () => {
    expect(mayCall('simulation', 'positions', 'POST', '/v1/wallets')).toBe(false);
    expect(mayCall('simulation', 'positions', 'DELETE', '/v1/positions/pos_1')).toBe(false);
    expect(mayCall('alerts', 'execution', 'POST', '/v1/execution/deleverage')).toBe(false);
    expect(mayCall('simulation', 'market-data', 'GET', '/v1/prices')).toBe(false);
    expect(mayCall('positions', 'simulation', 'GET', '/v1/risk/metrics')).toBe(false);
  });
});
