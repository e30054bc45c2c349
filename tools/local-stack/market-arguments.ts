import { ACT_KINDS, type ActKind } from '@plimsoll/devnet';
import { Command, CommanderError } from 'commander';
import { UsageError } from './settings/usage-error';

/** The commands for the market of the local chains. */
export type MarketCommand = PriceCommand | ReplayCommand | WhaleCommand;

/** The commands for prices. A shock with seconds goes on after the response. */
export type PriceCommand =
  | { action: 'shock'; symbol: string; percent: number; seconds?: number }
  | { action: 'set'; symbol: string; usd: number }
  | { action: 'pause' }
  | { action: 'resume' }
  | { action: 'stop' };

/** Moves prices along the path of a file. */
export interface ReplayCommand {
  action: 'replay';
  file: string;
  /** Seconds of the path in a second. */
  speed: number;
  /** Whether it begins at the present prices. */
  isRelative: boolean;
  json: boolean;
}

/** The commands for the whales and market makers of the local chains. */
export type WhaleCommand =
  | { action: 'whale'; whale: 'list'; json: boolean }
  | { action: 'whale'; whale: 'pause' | 'resume'; json: boolean }
  | {
      action: 'whale';
      whale: 'act';
      json: boolean;
      name: string;
      kind: ActKind;
      /** In whole tokens. */
      amount: string;
      symbol: string;
    };

const EXAMPLES =
  'For example `npm run market -- shock ETH -30`, `-- set ETH 2500`, `-- replay FILE --speed 10`';
const WHALE_EXAMPLES =
  'For example `npm run market -- whale list`, `-- whale act orca-1 supply 200 WETH`, `-- whale pause`, `-- whale resume`';
/** The longest shock. */
export const MOST_SHOCK_SECONDS = 3_600;
const MOST_SPEED = 100_000;
const AMOUNT = /^[0-9]+(\.[0-9]+)?$/;

/** Reads the words after `market`. Throws UsageError. */
export function parseMarketCommand(words: readonly string[]): MarketCommand {
  let order: MarketCommand | undefined;
  const market = quiet(new Command('market'));
  market
    .command('shock <symbol> <percent>')
    .option('--over <seconds>')
    .action((symbol: string, text: string, { over }: { over?: string }) => {
      const percent = Number(text);
      const seconds = Number(over ?? 0);
      const isTime = Number.isInteger(seconds) && seconds >= (over ? 1 : 0) && seconds <= MOST_SHOCK_SECONDS;
      if (percent > -100 && Number.isFinite(percent) && isTime)
        order = { action: 'shock', symbol, percent, ...(seconds > 0 && { seconds }) };
    });
  market
    .command('replay <file>')
    .option('--speed <number>')
    .option('--relative')
    .option('--json')
    .action((file: string, options: { speed?: string; relative?: boolean; json?: boolean }) => {
      const speed = Number(options.speed ?? 1);
      if (speed > 0 && speed <= MOST_SPEED)
        order = {
          action: 'replay',
          file,
          speed,
          isRelative: options.relative ?? false,
          json: options.json ?? false,
        };
    });
  market.command('set <symbol> <usd>').action((symbol: string, text: string) => {
    const usd = Number(text);
    if (usd > 0 && Number.isFinite(usd)) order = { action: 'set', symbol, usd };
  });
  for (const action of ['pause', 'resume', 'stop'] as const)
    market.command(action).action(() => {
      order = { action };
    });
  const whales = market.command('whale').option('--json');
  const json = (): boolean => whales.opts<{ json?: boolean }>().json ?? false;
  for (const whale of ['list', 'pause', 'resume'] as const)
    whales.command(whale).action(() => {
      order = { action: 'whale', whale, json: json() };
    });
  whales
    .command('act <name> <kind> <amount> <symbol>')
    .action((name: string, kind: string, amount: string, symbol: string) => {
      const known = ACT_KINDS.find((each) => each === kind);
      if (known && AMOUNT.test(amount) && Number(amount) > 0)
        order = { action: 'whale', whale: 'act', json: json(), name, kind: known, amount, symbol };
    });
  try {
    market.parse(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  if (order) return order;
  throw refusalOf(words);
}

function refusalOf(words: readonly string[]): UsageError {
  if (words[0] === 'replay')
    return new UsageError(
      `market does not understand "${words.join(' ')}"`,
      `A replay is <file> [--speed <number up to ${MOST_SPEED}>] [--relative] [--json]`,
    );
  if (words[0] !== 'whale') {
    const excess = words.includes('--over') ? undefined : words[3];
    const text = excess === undefined ? `understand "${words.join(' ')}"` : `accept ${excess}`;
    return new UsageError(`market does not ${text}`, EXAMPLES);
  }
  const given = words.slice(1);
  const excess = given.filter((word) => word !== '--json')[5];
  const text =
    excess === undefined
      ? `understand "${given.join(' ')}": an act is <name> <${ACT_KINDS.join('|')}> <amount> <asset>`
      : `accept ${excess}`;
  return new UsageError(`market whale does not ${text}`, WHALE_EXAMPLES);
}

/** Throws instead of printing and exiting. Commands of it inherit this. */
const quiet = (command: Command): Command =>
  command
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .helpCommand(false)
    .helpOption(false);
