import { ACT_KINDS, type ActKind } from '@plimsoll/devnet';
import { Command, CommanderError } from 'commander';
import { UsageError } from './settings/usage-error';

/** The commands for the market of the local chains. */
export type MarketCommand =
  | { action: 'shock'; symbol: string; percent: number }
  | { action: 'set'; symbol: string; usd: number }
  | { action: 'pause' }
  | { action: 'resume' }
  | WhaleCommand;

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

const EXAMPLES = 'For example `npm run market -- shock ETH -30`, `-- set ETH 2500`, `-- pause`, `-- resume`';
const WHALE_EXAMPLES =
  'For example `npm run market -- whale list`, `-- whale act orca-1 supply 200 WETH`, `-- whale pause`, `-- whale resume`';
const AMOUNT = /^[0-9]+(\.[0-9]+)?$/;

/** Reads the words after `market`. Throws UsageError. */
export function parseMarketCommand(words: readonly string[]): MarketCommand {
  let order: MarketCommand | undefined;
  const market = quiet(new Command('market'));
  market.command('shock <symbol> <percent>').action((symbol: string, text: string) => {
    const percent = Number(text);
    if (percent > -100 && Number.isFinite(percent)) order = { action: 'shock', symbol, percent };
  });
  market.command('set <symbol> <usd>').action((symbol: string, text: string) => {
    const usd = Number(text);
    if (usd > 0 && Number.isFinite(usd)) order = { action: 'set', symbol, usd };
  });
  for (const action of ['pause', 'resume'] as const)
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
  if (words[0] !== 'whale') {
    const excess = words[3];
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
