import { parseArguments } from './arguments';
import { UsageError } from './settings/usage-error';

const refuses = (...argv: string[]): Promise<void> =>
  expect(parseArguments(argv)).rejects.toThrow(UsageError);

describe('parseArguments', () => {
  it('reads each command with its flags', async () => {
    expect(await parseArguments(['start', '--detach'])).toEqual({
      name: 'start',
      detach: true,
      isOneProcess: true,
    });
    expect(await parseArguments(['start', '--one-process'])).toMatchObject({ isOneProcess: true });
    expect(await parseArguments(['start', '--separate'])).toMatchObject({
      detach: false,
      isOneProcess: false,
    });
    expect(await parseArguments(['status', '--json'])).toEqual({ name: 'status', json: true });
    expect(await parseArguments(['reset'])).toEqual({ name: 'reset', all: false });
    expect(await parseArguments(['stop'])).toEqual({ name: 'stop' });
  });

  it('prints help for --help anywhere, and for an empty line', async () => {
    expect(await parseArguments(['start', '--help'])).toEqual({ name: 'help' });
    expect(await parseArguments([])).toEqual({ name: 'help' });
  });

  it('reads commands for the market', async () => {
    expect(await parseArguments(['market', 'shock', 'ETH', '-30'])).toEqual({
      name: 'market',
      order: { action: 'shock', symbol: 'ETH', percent: -30 },
    });
    expect(await parseArguments(['market', 'set', 'ETH', '2500'])).toMatchObject({ order: { usd: 2500 } });
    expect(await parseArguments(['market', 'pause'])).toMatchObject({ order: { action: 'pause' } });
  });

  it('reads replays and shocks that take time', async () => {
    expect(await parseArguments(['market', 'replay', 'crash.csv'])).toEqual({
      name: 'market',
      order: { action: 'replay', file: 'crash.csv', speed: 1, isRelative: false, json: false },
    });
    expect(
      await parseArguments(['market', 'replay', '--json', '--speed', '0.5', 'crash.csv', '--relative']),
    ).toMatchObject({ order: { file: 'crash.csv', speed: 0.5, isRelative: true, json: true } });
    expect(await parseArguments(['market', 'shock', 'ETH', '-30', '--over', '60'])).toMatchObject({
      order: { action: 'shock', symbol: 'ETH', percent: -30, seconds: 60 },
    });
    expect(await parseArguments(['market', 'stop'])).toMatchObject({ order: { action: 'stop' } });
    await refuses('market', 'replay');
    await refuses('market', 'replay', 'a.csv', 'b.csv');
    await refuses('market', 'replay', 'a.csv', '--speed', '0');
    await refuses('market', 'replay', 'a.csv', '--speed', 'fast');
    await refuses('market', 'shock', 'ETH', '-30', '--over', '0');
    await refuses('market', 'shock', 'ETH', '-30', '--over', '1.5');
    await refuses('market', 'shock', 'ETH', '-30', '--over', '3601');
    await expect(parseArguments(['market', 'replay', 'a.csv', '--slow'])).rejects.toThrow(
      'market does not understand "replay a.csv --slow"',
    );
  });

  it('reads commands for the whales', async () => {
    expect(await parseArguments(['market', 'whale', 'list', '--json'])).toEqual({
      name: 'market',
      order: { action: 'whale', whale: 'list', json: true },
    });
    expect(await parseArguments(['market', 'whale', 'act', 'orca-1', 'borrow', '250000.5', 'USDC'])).toEqual({
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
    expect(await parseArguments(['market', 'whale', 'pause'])).toMatchObject({ order: { whale: 'pause' } });
    await refuses('market', 'whale');
    await refuses('market', 'whale', 'pause', 'orca-1');
    await refuses('market', 'whale', 'act', 'orca-1', 'borrow', '0', 'USDC');
    await refuses('market', 'whale', 'act', 'orca-1', 'borrow', '-5', 'USDC');
    await refuses('market', 'whale', 'act', 'orca-1', 'dance', '5', 'USDC');
    await refuses('market', 'whale', 'act', 'orca-1', 'borrow', '5');
    await refuses('market', 'whale', 'act', 'orca-1', 'borrow', '5', 'USDC', 'now');
  });

  it('rejects unknown words', async () => {
    await refuses('begin');
    await refuses('start', '--detached');
    await refuses('start', '--separate', '--one-process');
    await refuses('market', 'shock', 'ETH');
    await refuses('market', 'shock', 'ETH', 'down');
    await refuses('market', 'shock', 'ETH', '-100');
    await refuses('market', 'set', 'ETH', '0');
    await refuses('market', 'pause', 'ETH');
    await refuses('market', 'set', 'ETH', '1', '2');
    await expect(parseArguments(['market', 'set', 'ETH', '1', '2'])).rejects.toThrow(
      'market does not accept 2',
    );
    await expect(parseArguments(['market', 'dance'])).rejects.toThrow('market does not understand "dance"');
  });
});
