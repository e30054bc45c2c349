import { UsageError, parseArguments } from './arguments';

const words = '--rpc http://a --protocol compound-v3 --chain 1 --wallets w --out test/recordings'.split(' ');

describe('parseArguments', () => {
  it('needs a node, a protocol, a chain, wallets and a folder', () => {
    expect(parseArguments(words, { REGISTRY_OVERLAY: 'o.json' })).toMatchObject({
      rpcUrl: 'http://a',
      protocol: 'compound-v3',
      chainId: 1,
      block: null,
      firstBlock: 0,
      json: false,
      overlayPath: 'o.json',
    });
    expect(() => parseArguments(words.slice(2), {})).toThrow('--rpc missing');
  });

  it('reads the block, the name and the first block of logs', () => {
    const more = ['--block', '17', '--name', 'usdc-0-seconds', '--logs-from', '5', '--json', '--proofs'];
    expect(parseArguments([...words, ...more], {})).toMatchObject({
      block: 17n,
      name: 'usdc-0-seconds',
      firstBlock: 5,
      json: true,
      proofs: true,
    });
  });

  it.each([
    [['--block', '-1']],
    [['--block', 'latest']],
    [['--name', '../x']],
    [['--rpc', 'ws://a']],
    [['--what']],
  ])('refuses %j', (more) => {
    expect(() => parseArguments([...words, ...more], {})).toThrow(UsageError);
  });

  it('null for a help request', () => {
    expect(parseArguments(['--help'], {})).toBeNull();
  });
});
