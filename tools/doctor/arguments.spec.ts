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

  it('uses only the named chains', () => {
    expect(parseArguments(['--chain', '10', '--json'], env)).toMatchObject({
      json: true,
      nodes: [{ chainId: 10 }],
    });
  });

  it.each([
    [['--chain', '56'], env],
    [['--what'], env],
    [[], {}],
  ])('refuses %j', (words, environment) => {
    expect(() => parseArguments(words, environment)).toThrow(UsageError);
  });

  it('null for a help request', () => {
    expect(parseArguments(['--help'], {})).toBeNull();
  });
});
