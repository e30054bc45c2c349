import type { Fact } from '../facts/fact';
import type { ValueUnit } from './candidate';

/** Figures that can be confused because they look the same in a text. */
type FigureClass = 'amount' | 'percent' | 'ratio' | 'score' | 'count';

const CLASS_OF: Partial<Record<ValueUnit, FigureClass>> = {
  usd: 'amount',
  token: 'amount',
  percent: 'percent',
  fraction: 'percent',
  points: 'percent',
  ratio: 'ratio',
  score: 'score',
  count: 'count',
  tally: 'count',
};

/** The names of figures. */
interface Concept {
  name: string;
  /** Classes of figures whose names this one competes with. */
  classes: readonly FigureClass[];
  /** The words for it. */
  said: RegExp;
  /** Ids of the facts that are one. */
  ids: RegExp;
}

const words = (pattern: string): RegExp => new RegExp(String.raw`\b(?:${pattern})\b`, 'gi');

/** The name of a wallet's move is its kind. */
const MOVE = '^move\\.';

const CONCEPTS: readonly Concept[] = [
  {
    name: 'collateral',
    classes: ['amount'],
    said: words('collaterals?|suppl(?:y|ies|ied|ying)|deposit\\w*|holds?|held|holding\\w*|secur\\w+'),
    ids: new RegExp(
      `(?:^|\\.)collateral(?:Usd)?(?:\\.|$)|\\.addUsd\\.|withdrawnUsd|suppliedUsd|\\.(?:add_collateral|reduce_volatility)\\.usd$|${MOVE}`,
    ),
  },
  {
    name: 'debt',
    classes: ['amount'],
    said: words('debts?|ow(?:e|es|ed|ing)|borrow\\w*|loans?(?!-to)|liabilit\\w+'),
    ids: new RegExp(
      `(?:^|\\.)debt(?:Usd)?(?:\\.|$)|repayUsd|borrowedUsd|\\.(?:repay_debt|diversify_debt|close_position)\\.usd$|${MOVE}`,
    ),
  },
  {
    name: 'repayment',
    classes: ['amount'],
    said: words('repay\\w*|repaid|pa(?:y|ys|id|ying) (?:back|down|off)'),
    ids: new RegExp(`repayUsd|borrowedUsd|\\.(?:repay_debt|close_position)\\.usd$|${MOVE}`),
  },
  {
    name: 'addition',
    classes: ['amount'],
    said: words('add(?:s|ed|ing)?|top\\w* up'),
    ids: /\.addUsd\.|\.add_collateral\.usd$/,
  },
  {
    name: 'withdrawal',
    classes: ['amount'],
    said: words('withdr\\w+'),
    ids: new RegExp(`withdrawnUsd|${MOVE}`),
  },
  {
    name: 'net worth',
    classes: ['amount'],
    said: words('net worth|equity'),
    ids: /netWorthUsd$|^what-if\..*\.loss$/,
  },
  {
    name: 'liquidation price',
    classes: ['amount'],
    said: words('liquidation prices?|liquidat\\w+ (?:at|with|when|if|once|below)'),
    ids: /^forecast\..*\.price\./,
  },
  {
    name: 'price',
    classes: ['amount'],
    said: words('prices?|costs?|trad(?:es|ing) at'),
    ids: /^(?:price|history)\.|^forecast\..*\.price\./,
  },
  {
    name: 'value locked',
    classes: ['amount'],
    said: words('value locked|TVL|locked'),
    ids: /\.tvl(?:\.|$)/,
  },
  {
    name: 'value at risk',
    classes: ['amount'],
    said: words('value[- ]at[- ]risk|VaR'),
    ids: /\.var95$/,
  },
  {
    name: 'expected shortfall',
    classes: ['amount'],
    said: words('expected shortfall|conditional value[- ]at[- ]risk|CVaR'),
    ids: /\.cvar95$/,
  },
  {
    name: 'health factor',
    classes: ['ratio', 'percent'],
    said: words('health(?: factors?)?|HF'),
    ids: /healthFactor$|\.after$|\.target$|^question\.level$|\.aim$/i,
  },
  {
    name: 'loan-to-value',
    classes: ['ratio', 'percent'],
    said: words('loan-to-value|LTV'),
    ids: /loanToValue$/,
  },
  {
    name: 'probability',
    classes: ['ratio', 'percent'],
    said: words('probabilit\\w+|chances?|odds|likel\\w+'),
    ids: /^(?!.*\.(?:standardError|days)$).*(?:probability|^chances\.|\.chance(?:Before|After)(?:$|\.))/,
  },
  {
    name: 'standard error',
    classes: ['percent'],
    said: words('standard errors?'),
    ids: /\.standardError$/,
  },
  {
    name: 'utilisation',
    classes: ['ratio', 'percent'],
    said: words('utili[sz]\\w+'),
    ids: /\.utilisation$/,
  },
  {
    name: 'volatility',
    classes: ['percent', 'score'],
    said: words('volatilit(?:y|ies)'),
    ids: /\.volatility$/,
  },
  {
    name: 'move',
    classes: ['percent'],
    // `falls from 31 to 15 %` is not a name. The subject of the fall has one.
    said: words(
      '(?:falls?|fell|drops?|declin\\w+|chang\\w+|ris(?:e|es|ing)|rose|loses?|lost|gain\\w*|distance|margin|buffer)(?! (?:from|to)\\b)',
    ),
    ids: /distancePercent$|[cC]hange(?:24h|Percent)|^what-if\..*\.change\.|\.fall$|\.aim$/,
  },
  {
    name: 'risk score',
    classes: ['score'],
    said: words('scores?'),
    ids: /^risk\..*\.score$/,
  },
  {
    name: 'index',
    classes: ['score'],
    said: words('ind(?:ex|ices|exes)|GRI'),
    ids: /^index\.(?:gri$|history\.)/,
  },
  {
    name: 'liquidation pressure',
    classes: ['score'],
    said: words('pressure'),
    ids: /liquidationPressure$/,
  },
  {
    name: 'protocol stability',
    classes: ['score'],
    said: words('stability'),
    ids: /protocolStability$/,
  },
  { name: 'alerts', classes: ['count'], said: words('alerts?'), ids: /^alerts\.|alertCount$/ },
  { name: 'incidents', classes: ['count'], said: words('incidents?'), ids: /^incidents\./ },
  {
    name: 'positions',
    classes: ['count'],
    said: words('positions?'),
    ids: /^positions\.|^incident\.positions$/,
  },
  { name: 'moves', classes: ['count'], said: words('moves?|wallets?'), ids: /^moves\./ },
];

/**
 * The names that compete for a figure of a unit, with their words. Empty: such figures have no names here.
 */
export function conceptsOf(unit: ValueUnit): (readonly [string, RegExp])[] {
  const kind = CLASS_OF[unit];
  if (kind === undefined) return [];
  return CONCEPTS.filter(({ classes }) => classes.includes(kind)).map(({ name, said }) => [name, said]);
}

/** The names of a fact. Empty: it has no name here. */
export function namesOfFact({ id }: Pick<Fact, 'id'>): string[] {
  return CONCEPTS.filter(({ ids }) => ids.test(id)).map(({ name }) => name);
}

/** The noun with which an answer counts the record of a fact. */
export function countedAs({ id }: Pick<Fact, 'id'>): string[] {
  if (/\bpos_/.test(id)) return ['positions'];
  const [record = ''] = id.split('.');
  return { alert: ['alerts'], incident: ['incidents'], move: ['moves'] }[record] ?? [];
}

/** Amounts that are moved, as opposed to held: the text must mention the move. */
const MOVED: readonly (readonly [RegExp, RegExp])[] = [
  [/repayUsd|\.(?:repay_debt|close_position)\.usd$/, /\b(?:re)?pa(?:y|id)/i],
  [/\.addUsd\.|\.add_collateral\.usd$/, /\b(?:add|top)/i],
  [/withdrawnUsd/, /\bwithdr/i],
  [/borrowedUsd/, /\bborrow/i],
  [/\.reduce_volatility\.usd$/, /\bswap/i],
  [/\.diversify_debt\.usd$/, /\b(?:refinanc|mov|shift|spread)/i],
];

/** Whether a text mentions that a moved amount is moved. */
export function mentionsMove({ id }: Pick<Fact, 'id'>, text: string): boolean {
  return MOVED.every(([ids, said]) => !ids.test(id) || said.test(text));
}
