import { anvilArguments } from './evm';

const options = { dataDir: 'data', logFile: 'evm.log', chainId: 8453 };

describe('anvilArguments', () => {
  it('binds to loopback only and keeps 128 blocks readable', () => {
    const args = anvilArguments(options, 4242);
    expect(args).toEqual(
      expect.arrayContaining(['--host=127.0.0.1', '--port=4242', '--chain-id=8453', '--prune-history=128']),
    );
  });

  it("never uses anvil's own clock, with which its memory grows", () => {
    expect(anvilArguments({ ...options, blockTimeSeconds: 1 }, 1).join(' ')).not.toContain('--block-time');
  });

  it('keeps the transactions of all blocks, or of the newest', () => {
    expect(anvilArguments(options, 1).join(' ')).not.toContain('keeper');
    expect(anvilArguments({ ...options, fullBlocks: 900 }, 1)).toContain('--transaction-block-keeper=900');
  });

  it('passes on the state file and further arguments', () => {
    const args = anvilArguments(
      { ...options, statePath: 's.json', stateIntervalSeconds: 30, extraArgs: ['--tracing'] },
      1,
    );
    expect(args.slice(-5)).toEqual(['--state', 's.json', '--state-interval', '30', '--tracing']);
  });
});
