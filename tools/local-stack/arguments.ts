import { UsageError } from './usage-error';

/** One thing that local-stack can be told to do. */
export type Command =
  | { name: 'help' }
  | { name: 'start'; detach: boolean }
  | { name: 'stop' }
  | { name: 'status'; json: boolean }
  | { name: 'reset'; all: boolean }
  | { name: 'market'; order: MarketOrder };

/** What the market of the local chains is told to do. */
export type MarketOrder =
  | { action: 'shock'; symbol: string; percent: number }
  | { action: 'set'; symbol: string; usd: number }
  | { action: 'pause' }
  | { action: 'resume' };

const FLAGS: Record<string, readonly string[]> = {
  start: ['--detach'],
  stop: [],
  status: ['--json'],
  reset: ['--all'],
  market: [],
};

/** Reads the command line. Throws UsageError. */
export function parseArguments(argv: readonly string[]): Command {
  const [name = 'help', ...rest] = argv;
  if (name === 'help' || argv.includes('--help') || argv.includes('-h')) return { name: 'help' };
  const known = FLAGS[name];
  if (!known) throw new UsageError(`there is no command ${name}`, 'See `npm start -- --help`');
  if (name === 'market') return { name, order: parseMarketOrder(rest) };
  const unknown = rest.find((argument) => !known.includes(argument));
  if (unknown) throw new UsageError(`${name} does not take ${unknown}`, 'See `npm start -- --help`');
  switch (name) {
    case 'start':
      return { name, detach: rest.includes('--detach') };
    case 'status':
      return { name, json: rest.includes('--json') };
    case 'reset':
      return { name, all: rest.includes('--all') };
    default:
      return { name: 'stop' };
  }
}

function parseMarketOrder([action, symbol, amount, ...rest]: readonly string[]): MarketOrder {
  const nextStep =
    'For example `npm run market -- shock ETH -30`, `-- set ETH 2500`, `-- pause`, `-- resume`';
  if (rest.length > 0) throw new UsageError(`market does not take ${rest[0]}`, nextStep);
  if ((action === 'pause' || action === 'resume') && symbol === undefined) return { action };
  const value = Number(amount);
  const isComplete = symbol !== undefined && amount !== undefined && Number.isFinite(value);
  if (action === 'shock' && isComplete && value > -100) return { action, symbol, percent: value };
  if (action === 'set' && isComplete && value > 0) return { action, symbol, usd: value };
  throw new UsageError(
    `market does not understand "${[action, symbol, amount].filter(Boolean).join(' ')}"`,
    nextStep,
  );
}
