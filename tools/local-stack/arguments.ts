import type { MarketCommand } from './market-arguments';
import { UsageError } from './settings/usage-error';

export type { MarketCommand, PriceCommand, ReplayCommand, WhaleCommand } from './market-arguments';

/** One command of local-stack. */
export type Command =
  | { name: 'help' }
  | { name: 'start'; detach: boolean; isOneProcess: boolean }
  | { name: 'stop' }
  | { name: 'status'; json: boolean }
  | { name: 'reset'; all: boolean }
  | { name: 'market'; order: MarketCommand };

const FLAGS: Record<string, readonly string[]> = {
  start: ['--detach', '--one-process', '--separate'],
  stop: [],
  status: ['--json'],
  reset: ['--all'],
  market: [],
};

/** Reads the command line. Rejects with UsageError. */
export async function parseArguments(argv: readonly string[]): Promise<Command> {
  const [name = 'help', ...rest] = argv;
  if (name === 'help' || argv.includes('--help') || argv.includes('-h')) return { name: 'help' };
  const known = FLAGS[name];
  if (!known) throw new UsageError(`there is no command ${name}`, 'See `npm start -- --help`');
  if (name === 'market') {
    // Loaded only here: it loads the market, which takes a second.
    const { parseMarketCommand } = await import('./market-arguments');
    return { name, order: parseMarketCommand(rest) };
  }
  const unknown = rest.find((argument) => !known.includes(argument));
  if (unknown) throw new UsageError(`${name} does not accept ${unknown}`, 'See `npm start -- --help`');
  switch (name) {
    case 'start':
      return { name, detach: rest.includes('--detach'), isOneProcess: isOneProcess(rest) };
    case 'status':
      return { name, json: rest.includes('--json') };
    case 'reset':
      return { name, all: rest.includes('--all') };
    default:
      return { name: 'stop' };
  }
}

function isOneProcess(flags: readonly string[]): boolean {
  const isSeparate = flags.includes('--separate');
  if (isSeparate && flags.includes('--one-process'))
    throw new UsageError('start takes --one-process or --separate, not both', 'See `npm start -- --help`');
  return !isSeparate;
}
