import type { Market, Position } from './market';
import {
  addUsd,
  distancePercent,
  healthFactorAfter,
  liquidationPrice,
  netWorthUsd,
  repayUsd,
} from './expected';
import type { EvalQuestion } from './question';

export type Draft = Omit<EvalQuestion, 'id' | 'category'>;

/** Returns several phrases for the same question in turn. */
const phrased = (phrases: readonly string[], at: number, values: Readonly<Record<string, string>>): string =>
  phrases[at % phrases.length]!.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');

export const symbolOf = (position: Position): string =>
  position.collateralAssets?.find(({ usedAsCollateral }) => usedAsCollateral)?.asset ?? '';
const isPlain = (position: Position): boolean =>
  (position.collateralAssets ?? []).filter(({ usedAsCollateral }) => usedAsCollateral).length === 1;
const priceName = (symbol: string): string => ({ WETH: 'ETH', WBTC: 'BTC' })[symbol] ?? symbol;

function perPosition(
  positions: readonly Position[],
  count: number,
  phrases: readonly string[],
  expect: (position: Position) => Omit<Draft, 'question'> & { values?: Record<string, string> },
): Draft[] {
  return positions.slice(0, count).map((position, at) => {
    const { values, ...rest } = expect(position);
    const question = phrased(phrases, at, { id: position.id, ...values });
    return { question, answered: true, ...rest };
  });
}

/** Questions about one position, one price or the market, each with its exact answer. */
export function exactQuestions(market: Market): Draft[] {
  const debtors = market.positions.filter(({ healthFactor }) => healthFactor !== null);
  const plain = debtors.filter(isPlain);
  const scored = debtors.filter(({ id }) => market.score(id));
  const forecast = debtors.filter(({ id }) => market.forecast(id)?.daysToLiquidation);
  const weekly = debtors.filter(({ id }) => market.chances(id, 7));
  const falling = (percent: number, phrases: readonly string[], from: number): Draft[] =>
    perPosition(plain.slice(from), 6, phrases, (position) => {
      const asset = priceName(symbolOf(position));
      const numbers = [healthFactorAfter(position, { [asset]: 1 + percent / 100 })];
      return { numbers, values: { asset, percent: String(Math.abs(percent)) } };
    });
  return [
    ...perPosition(
      debtors,
      16,
      [
        'What is the health factor of {id}?',
        'health factor for position {id}',
        'How healthy is {id}? Give me its HF.',
        'Can {id} be liquidated?',
      ],
      ({ healthFactor, id }) => ({ numbers: [healthFactor!], words: [id] }),
    ),
    ...perPosition(
      debtors,
      10,
      ['How much debt does {id} have?', 'What does {id} owe?', 'How much has {id} borrowed?'],
      ({ totalDebtUsd }) => ({ numbers: [totalDebtUsd] }),
    ),
    ...perPosition(
      debtors,
      10,
      [
        'How much collateral does {id} hold?',
        'What is supplied in {id}?',
        'Total collateral of {id} in USD?',
      ],
      ({ totalCollateralUsd }) => ({ numbers: [totalCollateralUsd] }),
    ),
    ...perPosition(
      plain,
      12,
      [
        'What is the liquidation price of {asset} for {id}?',
        'At what price of {asset} does {id} get liquidated?',
        'liquidation price {id}',
      ],
      (position) => ({
        numbers: [liquidationPrice(position, symbolOf(position))],
        values: { asset: symbolOf(position) },
      }),
    ),
    ...perPosition(
      debtors,
      12,
      [
        'How far is {id} from liquidation?',
        'How much can the collateral of {id} fall before it is liquidated?',
        'What is the safety margin of {id}?',
      ],
      (position) => ({ numbers: [distancePercent(position)] }),
    ),
    ...falling(
      -20,
      [
        'What is the health factor of {id} if {asset} falls {percent}%?',
        'If {asset} drops by {percent} percent, what happens to {id}?',
        'Suppose a {percent}% crash in {asset}: health factor of {id}?',
      ],
      0,
    ),
    ...falling(
      -35,
      [
        'What happens to {id} if {asset} loses {percent} %?',
        'Health factor of {id} after a {percent}% decline of {asset}',
      ],
      3,
    ),
    ...falling(
      15,
      [
        'What will the health factor of {id} be if {asset} rises {percent}%?',
        'If {asset} goes up {percent} %, what is the HF of {id}?',
      ],
      6,
    ),
    ...perPosition(
      debtors.filter(({ healthFactor }) => healthFactor! < 1.5),
      8,
      [
        'How much must I repay on {id} to reach a health factor of 1.5?',
        'How much debt should I pay back to get {id} to health factor 1.5?',
      ],
      (position) => ({ numbers: [repayUsd(position, 1.5)] }),
    ),
    ...perPosition(
      debtors.filter(({ healthFactor }) => healthFactor! < 2),
      5,
      [
        'What repayment takes {id} to HF 2? I want to repay.',
        'To deleverage {id} to a health factor of 2, what must be repaid?',
      ],
      (position) => ({ numbers: [repayUsd(position, 2)] }),
    ),
    ...perPosition(
      plain.filter(({ healthFactor }) => healthFactor! < 1.5),
      8,
      [
        'How much {asset} collateral must I add to {id} to reach a health factor of 1.5?',
        'How much more collateral does {id} need: I want to add {asset} to get to 1.5.',
      ],
      (position) => ({
        numbers: [addUsd(position, symbolOf(position), 1.5)],
        values: { asset: symbolOf(position) },
      }),
    ),
    ...perPosition(
      scored,
      10,
      [
        'What is the probability that {id} is liquidated within 30 days?',
        'How likely is liquidation of {id} in the next month?',
        'Chance of {id} getting liquidated in 30 days?',
      ],
      ({ id }) => ({ numbers: [market.score(id)!.liquidationProbability30d * 100] }),
    ),
    ...perPosition(
      weekly,
      5,
      [
        'What is the probability of liquidation of {id} within 7 days?',
        'How likely is it that {id} gets liquidated within a week?',
      ],
      ({ id }) => ({
        numbers: [market.chances(id, 7)!.liquidationProbability * 100],
      }),
    ),
    ...perPosition(scored, 8, ['What is the risk score of {id}?', 'risk score {id} please'], ({ id }) => ({
      numbers: [market.score(id)!.riskScore],
      words: [market.score(id)!.label],
    })),
    ...perPosition(
      forecast,
      5,
      ['How long until {id} is liquidated?', 'How many days until liquidation of {id}?'],
      ({ id }) => ({
        numbers: [market.forecast(id)!.daysToLiquidation!],
      }),
    ),
    ...perPosition(debtors, 6, ['What is the LTV of {id}?', 'Loan-to-value of {id}?'], (position) => ({
      numbers: [(position.totalDebtUsd / position.totalCollateralUsd) * 100],
    })),
    ...perPosition(
      debtors,
      5,
      ['What is the net worth of {id}?', 'How much equity is in {id}?'],
      (position) => ({
        numbers: [netWorthUsd(position)],
      }),
    ),
    ...marketQuestions(market),
  ];
}

function marketQuestions(market: Market): Draft[] {
  const { index, alerts, incidents, moves } = market;
  const priced = ['ETH', 'BTC', 'LINK', 'USDC', 'DAI'].filter((symbol) => market.price(symbol));
  const locked = ['aave-v3', 'morpho-blue'].flatMap((id) => market.protocol(id) ?? []);
  const [top] = moves.toSorted((a, b) => b.usdValue - a.usdValue);
  const about = (question: string, numbers: number[], words: string[] = []): Draft => ({
    question,
    answered: true,
    numbers,
    words,
  });
  return [
    ...priced.map((symbol) => about(`What is the price of ${symbol}?`, [market.price(symbol)!.usd])),
    ...priced
      .slice(0, 3)
      .map((symbol) =>
        about(`How much has ${symbol} changed over the last 24 hours?`, [market.price(symbol)!.change24h]),
      ),
    about('What is the global risk index?', [index.gri], [index.label]),
    about('How risky is the market right now, and what is the trend?', [index.gri], [index.trend]),
    about('What is the liquidation pressure in the market?', [index.components.liquidationPressure]),
    ...locked.map(({ name, tvl }) => about(`What is the TVL of ${name}?`, [tvl])),
    ...locked.map(({ id, riskTier }) => about(`What is the risk tier of ${id}?`, [], [riskTier])),
    about('How many active alerts do I have?', [alerts.length]),
    about('How many critical alerts are active?', [
      alerts.filter(({ severity }) => severity === 'critical').length,
    ]),
    about('How many incidents are open?', [incidents.length]),
    ...(top
      ? [about('What was the largest move of a whale in the last 24 hours?', [top.usdValue], [top.action])]
      : []),
  ];
}
