import { ACT_KINDS, type ActKind } from '@plimsoll/devnet';
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

/** Reads the words after `market`. Throws UsageError. */
export function parseMarketCommand(words: readonly string[]): MarketCommand {
  if (words[0] === 'whale') return parseWhaleCommand(words.slice(1));
  const [action, symbol, amount, ...rest] = words;
  const nextStep =
    'For example `npm run market -- shock ETH -30`, `-- set ETH 2500`, `-- pause`, `-- resume`';
  if (rest.length > 0) throw new UsageError(`market does not accept ${rest[0]}`, nextStep);
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

const WHALE_EXAMPLES =
  'For example `npm run market -- whale list`, `-- whale act orca-1 supply 200 WETH`, `-- whale pause`, `-- whale resume`';
const AMOUNT = /^[0-9]+(\.[0-9]+)?$/;

function parseWhaleCommand(words: readonly string[]): WhaleCommand {
  const json = words.includes('--json');
  const [whale, name, kind, amount, symbol, ...rest] = words.filter((word) => word !== '--json');
  if (rest.length > 0) throw new UsageError(`market whale does not accept ${rest[0]}`, WHALE_EXAMPLES);
  if ((whale === 'list' || whale === 'pause' || whale === 'resume') && name === undefined)
    return { action: 'whale', whale, json };
  const known = ACT_KINDS.find((each) => each === kind);
  const isPositive = amount !== undefined && AMOUNT.test(amount) && Number(amount) > 0;
  if (whale === 'act' && name !== undefined && known && isPositive && symbol !== undefined)
    return { action: 'whale', whale, json, name, kind: known, amount, symbol };
  throw new UsageError(
    `market whale does not understand "${words.join(' ')}": an act is <name> <${ACT_KINDS.join('|')}> <amount> <asset>`,
    WHALE_EXAMPLES,
  );
}
