import { readStackConfig } from './stack-config';

describe('readStackConfig', () => {
  it('starts all parts when nothing is set', () => {
    expect(readStackConfig({})).toEqual({
      publicPort: 4000,
      databaseUrl: undefined,
      redisUrl: undefined,
      kafkaBrokers: undefined,
      parts: 'embedded',
      chains: [
        { chainId: 1, rpcUrl: undefined },
        { chainId: 8453, rpcUrl: undefined },
      ],
      marketSeed: 1,
      whaleActMs: 6_000,
      enterprisePerMinute: 1000,
      isOneProcess: true,
    });
  });

  it('reads other chains, and the node of one of them, from the environment', () => {
    const { chains } = readStackConfig({ LOCAL_CHAINS: '1, 8453', RPC_URL_8453: 'http://127.0.0.1:9' });
    expect(chains).toEqual([
      { chainId: 1, rpcUrl: undefined },
      { chainId: 8453, rpcUrl: 'http://127.0.0.1:9' },
    ]);
  });

  it.each([
    ['PORT', '0'],
    ['PORT', '70000'],
    ['LOCAL_CHAINS', '1,base'],
    ['LOCAL_CHAINS', '1,1'],
    ['LOCAL_PARTS', 'real'],
    ['DEMO_ENTERPRISE_PER_MINUTE', '1e99'],
  ])('names %s when it is %s', (name, value) => {
    expect(() => readStackConfig({ [name]: value })).toThrow(name);
  });
});
