import { parseArguments } from './arguments';
import { UsageError } from './settings/usage-error';

const refuses = (...argv: string[]): void => expect(() => parseArguments(argv)).toThrow(UsageError);

describe('parseArguments', () => {
  it('reads each command with its flags', () => {
    expect(parseArguments(['start', '--detach'])).toEqual({
      name: 'start',
      detach: true,
      isOneProcess: true,
    });
    expect(parseArguments(['start', '--one-process'])).toMatchObject({ isOneProcess: true });
    expect(parseArguments(['start', '--separate'])).toMatchObject({ detach: false, isOneProcess: false });
    expect(parseArguments(['status', '--json'])).toEqual({ name: 'status', json: true });
    expect(parseArguments(['reset'])).toEqual({ name: 'reset', all: false });
    expect(parseArguments(['stop'])).toEqual({ name: 'stop' });
  });

  it('prints help for --help anywhere, and for an empty line', () => {
    expect(parseArguments(['start', '--help'])).toEqual({ name: 'help' });
    expect(parseArguments([])).toEqual({ name: 'help' });
  });

  it('reads commands for the market', () => {
    expect(parseArguments(['market', 'shock', 'ETH', '-30'])).toEqual({
      name: 'market',
      order: { action: 'shock', symbol: 'ETH', percent: -30 },
    });
    expect(parseArguments(['market', 'set', 'ETH', '2500'])).toMatchObject({ order: { usd: 2500 } });
    expect(parseArguments(['market', 'pause'])).toMatchObject({ order: { action: 'pause' } });
  });

  it('reads commands for the whales', () => {
    expect(parseArguments(['market', 'whale', 'list', '--json'])).toEqual({
      name: 'market',
      order: { action: 'whale', whale: 'list', json: true },
    });
    expect(parseArguments(['market', 'whale', 'act', 'orca-1', 'borrow', '250000.5', 'USDC'])).toEqual({
      name: 'market',
      order: {
        action: 'whale',
        whale: 'act',
        json: false,
        name: 'orca-1',
        kind: 'borrow',
        amount: '250000.5',
        symbol: 'USDC',
      },
    });
    expect(parseArguments(['market', 'whale', 'pause'])).toMatchObject({ order: { whale: 'pause' } });
    refuses('market', 'whale');
    refuses('market', 'whale', 'pause', 'orca-1');
    refuses('market', 'whale', 'act', 'orca-1', 'borrow', '0', 'USDC');
    refuses('market', 'whale', 'act', 'orca-1', 'borrow', '-5', 'USDC');
    refuses('market', 'whale', 'act', 'orca-1', 'dance', '5', 'USDC');
    refuses('market', 'whale', 'act', 'orca-1', 'borrow', '5');
    refuses('market', 'whale', 'act', 'orca-1', 'borrow', '5', 'USDC', 'now');
  });

  it('rejects unknown words', () => {
    refuses('begin');
    refuses('start', '--detached');
    refuses('start', '--separate', '--one-process');
    refuses('market', 'shock', 'ETH');
    refuses('market', 'shock', 'ETH', 'down');
    refuses('market', 'shock', 'ETH', '-100');
    refuses('market', 'set', 'ETH', '0');
    refuses('market', 'pause', 'ETH');
    refuses('market', 'set', 'ETH', '1', '2');
  });
});
