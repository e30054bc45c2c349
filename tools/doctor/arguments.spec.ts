import { UsageError, parseArguments } from './arguments';

const env = { RPC_URL_10: 'http://b', RPC_URL_1: 'http://a', RPC_URL_56: '', PATH: '/bin' };

describe('parseArguments', () => {
  it('uses every configured node, by chain id', () => {
    expect(parseArguments([], env)).toEqual({
      json: false,
      overlayPath: undefined,
      walletsFile: undefined,
      nodes: [
        { chainId: 1, rpcUrl: 'http://a' },
        { chainId: 10, rpcUrl: 'http://b' },
      ],
    });
  });

  it('takes a file of wallets', () => {
    expect(parseArguments(['--verify', 'wallets'], env)).toMatchObject({ walletsFile: 'wallets' });
  });

  it('takes the first block of logs of a chain', () => {
    const words = ['--verify', 'wallets', '--logs-from', '10:700'];
    expect(parseArguments(words, env)?.nodes).toEqual([
      { chainId: 1, rpcUrl: 'http://a' },
      { chainId: 10, rpcUrl: 'http://b', logsFrom: 700n },
    ]);
  });

  it('uses only the named chains', () => {
    expect(parseArguments(['--chain', '10', '--json'], env)).toMatchObject({
      json: true,
      nodes: [{ chainId: 10 }],
    });
  });

  it.each([
    [['--chain', '56'], env],
    [['--what'], env],
    [['--logs-from', '10:700'], env],
    [['--verify', 'w', '--logs-from', '700'], env],
    [['--verify', 'w', '--logs-from', '10:latest'], env],
    [['--verify', 'w', '--logs-from', '56:1'], env],
    [[], {}],
  ])('refuses %j', (words, environment) => {
    expect(() => parseArguments(words, environment)).toThrow(UsageError);
  });

  it('null for a help request', () => {
    expect(parseArguments(['--help'], {})).toBeNull();
  });
});
