import { brokerSettings } from './kafka-settings';

describe('brokerSettings', () => {
  const settings = brokerSettings(9092, 9093, '/data/log').split('\n');

  it('listens on loopback only', () => {
    expect(settings).toContain('listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093');
    expect(settings).toContain('advertised.listeners=PLAINTEXT://127.0.0.1:9092');
  });

  it('creates no topics automatically and starts groups without a delay', () => {
    expect(settings).toContain('auto.create.topics.enable=false');
    expect(settings).toContain('group.initial.rebalance.delay.ms=0');
  });
});
