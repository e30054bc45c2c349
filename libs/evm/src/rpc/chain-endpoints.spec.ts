import { parseChainEndpoints } from './chain-endpoints';

describe('parseChainEndpoints', () => {
  it('accepts any number of chains, by ascending id, with or without a WebSocket address', () => {
    const env = {
      PATH: '/bin',
      RPC_URL_8453: 'https://node.example/base',
      RPC_URL_1: 'http://127.0.0.1:8545',
      RPC_WS_URL_1: 'ws://127.0.0.1:8545',
      RPC_URL_10: '',
    };
    expect(parseChainEndpoints(env).chains).toEqual([
      { chainId: 1, rpcUrl: 'http://127.0.0.1:8545', wsUrl: 'ws://127.0.0.1:8545' },
      { chainId: 8453, rpcUrl: 'https://node.example/base', wsUrl: undefined },
    ]);
  });

  it('accepts none if none is required', () => {
    expect(parseChainEndpoints({}, { required: false })).toEqual({ chains: [], problem: null });
  });

  it('accepts several nodes of one chain, with commas between', () => {
    const { chains, problem } = parseChainEndpoints({ RPC_URL_1: 'http://a.example, https://b.example' });
    expect({ chains, problem }).toMatchObject({ chains: [{ chainId: 1 }], problem: null });
  });

  it('accepts a quorum of more than half of the nodes', () => {
    const RPC_URL_1 = 'http://a.example,http://b.example,http://c.example';
    for (const quorum of [2, 3])
      expect(parseChainEndpoints({ RPC_URL_1, RPC_QUORUM_1: String(quorum) })).toMatchObject({
        chains: [{ chainId: 1, quorum }],
        problem: null,
      });
  });

  it.each(['0', '1', '4', 'two', '1.5'])('rejects a quorum of %s among three nodes', (RPC_QUORUM_1) => {
    const RPC_URL_1 = 'http://a.example,http://b.example,http://c.example';
    expect(parseChainEndpoints({ RPC_URL_1, RPC_QUORUM_1 }).problem).toContain('RPC_QUORUM_1');
  });

  it.each([
    [{}, 'RPC_URL_<chainId>'],
    [{ RPC_URL_1: 'http://a.example', RPC_QUORUM_5: '1' }, 'RPC_QUORUM_5'],
    [{ RPC_URL_mainnet: 'http://a.example' }, 'RPC_URL_mainnet'],
    [{ RPC_URL_1: 'a.example:8545' }, 'RPC_URL_1'],
    [{ RPC_URL_1: 'ws://a.example' }, 'RPC_URL_1'],
    [{ RPC_URL_1: 'http://a.example', RPC_WS_URL_1: 'http://a.example' }, 'RPC_WS_URL_1'],
    [{ RPC_URL_1: 'http://a.example,ftp://b.example' }, 'RPC_URL_1'],
    [{ RPC_WS_URL_5: 'ws://a.example' }, 'RPC_URL_5'],
  ])('names what is wrong in %p', (env, named) => {
    expect(parseChainEndpoints(env).problem).toContain(named);
  });
});
