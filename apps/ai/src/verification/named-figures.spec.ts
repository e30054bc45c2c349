import type { Fact } from '../facts/fact';
import { verify } from './verify';
import { namedFigures } from './named-figures';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const [A, B] = ['pos_1A2b3C4d5E6f7G8h9I0jKL', 'pos_9Z8y7X6w5V4u3T2s1R0qPO'];

const fact = (id: string, value: Fact['value'], unit: Fact['unit'], symbol?: string): Fact => ({
  id,
  label: 'a figure',
  value,
  unit,
  time: '2026-11-22T11:58:00Z',
  source: 'GET /v1/positions',
  ...(symbol !== undefined && { symbol }),
});
const position = (id: string, health: number, collateral: number, debt: number): Fact[] => [
  fact(`position.${id}.id`, id, 'id'),
  fact(`position.${id}.protocol`, id === A ? 'aave-v3' : 'morpho-blue', 'id'),
  fact(`position.${id}.healthFactor`, health, 'ratio'),
  fact(`position.${id}.collateralUsd`, collateral, 'usd'),
  fact(`position.${id}.debtUsd`, debt, 'usd'),
];
const FACTS = [
  ...position(A, 1.0743, 2000, 1240.5),
  ...position(B, 1.55, 900, 400),
  fact(`position.${A}.collateral.0.symbol`, 'WETH', 'text'),
  fact(`position.${A}.collateral.0.usd`, 1500, 'usd'),
  fact(`position.${A}.collateral.1.symbol`, 'LINK', 'text'),
  fact(`position.${A}.collateral.1.usd`, 500, 'usd'),
  fact('positions.debtUsd.sum', 1640.5, 'usd'),
  fact('price.ETH.symbol', 'ETH', 'text'),
  fact('price.ETH.usd', 2961, 'usd'),
  fact('price.LINK.symbol', 'LINK', 'text'),
  fact('price.LINK.usd', 13.2, 'usd'),
  fact(`forecast.${A}.price.0.symbol`, 'WETH', 'text'),
  fact(`forecast.${A}.price.0.usd`, 2780, 'usd'),
  fact(`forecast.${A}.distancePercent`, 6.9, 'percent'),
  fact(`deleverage.${A}.repayUsd`, 352, 'usd'),
  fact(`deleverage.${A}.target`, 1.5, 'ratio'),
  fact(`risk.${A}.probability30d`, 0.31, 'fraction'),
  fact(`risk.${A}.probability30d.standardError`, 0.02, 'fraction'),
  fact(`chances.${A}.7.upperBound95`, 0.003, 'fraction'),
  fact(`suggestion.${A}.repay_debt.chanceAfter`, 0.15, 'fraction'),
  fact(`suggestion.${A}.repay_debt.chanceAfter.standardError`, 0.01, 'fraction'),
  fact('index.gri', 62, 'score'),
  fact('index.volatility', 40, 'score'),
  fact('alerts.active.count', 3, 'count'),
  fact('incidents.open.count', 2, 'count'),
  fact('before.healthFactor', 1.6, 'ratio'),
  fact('after.healthFactor', 0.98, 'ratio'),
];
const BY_ID = new Map(FACTS.map((each) => [each.id, each]));
const ALL = FACTS.map(({ id }) => id);

const wrong = (...texts: string[]): string[] => {
  const draft = { claims: texts.map((text) => ({ text, factIds: ALL })), cannotAnswer: null };
  const verification = verify(draft, BY_ID, NOW);
  expect(verification.unsupported).toEqual([]);
  return namedFigures(draft, BY_ID, verification)
    .filter(({ candidates }) => candidates.length === 0)
    .map(({ text }) => text);
};

describe('namedFigures', () => {
  it.each([
    `The health factor of ${A} is 1.0743.`,
    `${A} owes 1,240.50 USD and holds 2,000 USD.`,
    `With 2,000 USD of collateral, ${A} has borrowed 1,240.50 USD.`,
    `The collateral and the debt of ${A} are 2,000 USD and 1,240.50 USD.`,
    `${A} has a health factor of 1.07, ${B} has 1.55.`,
    `${A} and ${B} have health factors of 1.07 and 1.55.`,
    `The debts of ${A} and ${B} are 1,240.50 USD and 400 USD.`,
    `The Aave v3 position owes 1,240.50 USD, the Morpho Blue position 400 USD.`,
    'All positions together owe 1,640.50 USD.',
    `Together, ${A} and ${B} owe 1,640.50 USD.`,
    `Of the collateral of ${A}, 1,500 USD is in WETH and 500 USD in LINK.`,
    'ETH costs 2,961 USD and LINK 13.20 USD.',
    `The price of ETH is 2,961 USD; ${A} is liquidated at 2,780 USD.`,
    `Repaying 352 USD of its debt takes ${A} from 1.0743 to a health factor of 1.5.`,
    `The probability for ${A} falls from 31 % to 15 %.`,
    `A fall of 6.9 % liquidates ${A}, whose health factor is 1.0743.`,
    'The index is 62 and its volatility 40.',
    'There are 3 alerts and 2 open incidents.',
    'Active alerts: 3; open incidents: 2.',
    'It went from 1.60 to 0.98 before anybody acted.',
    `The debt of ${A} is 62 % of its collateral, which leaves a net worth of 759.50 USD.`,
    `The probability for ${A} is 31 %, with a standard error of 2 %.`,
    `The probability for ${A} is very likely below 0.3 %.`,
    `The probability for ${A} goes from 31 % to 15 % (standard errors 2 % and 1 %).`,
  ])('accepts: %s', (text) => {
    expect(wrong(text)).toEqual([]);
  });

  it.each([
    [`The debt of ${A} is 2,000 USD.`, '2,000 USD'],
    [`${A} owes 2,000 USD.`, '2,000 USD'],
    [`${A} holds 1,240.50 USD.`, '1,240.50 USD'],
    [`${A} has 1,240.50 USD of collateral.`, '1,240.50 USD'],
    [`The health factor of ${A} is 1.55.`, '1.55'],
    [`${A} has a health factor of 1.55, ${B} has 1.07.`, '1.55', '1.07'],
    [`${A} and ${B} have health factors of 1.55 and 1.07.`, '1.55', '1.07'],
    [`The position ${B} owes 1,640.50 USD.`, '1,640.50 USD'],
    [`The Morpho Blue position owes 1,240.50 USD.`, '1,240.50 USD'],
    [`Of the collateral of ${A}, 500 USD is in WETH and 1,500 USD in LINK.`, '500 USD', '1,500 USD'],
    ['ETH costs 13.20 USD and LINK 2,961 USD.', '13.20 USD', '2,961 USD'],
    [`The price of ETH is 2,961 USD; the liquidation price of ${A} is 2,961 USD.`, '2,961 USD'],
    [`The debt of ${A} is 352 USD, and it holds 2,000 USD.`, '352 USD'],
    [`The health factor of ${A} is 1.5.`, '1.5'],
    [`The health factor of ${A} goes from 1.5 to 1.0743.`, '1.5'],
    [`The probability for ${A} goes from 15 % to 31 %.`, '15 %', '31 %'],
    [`The probability for ${A} is 6.9 %.`, '6.9 %'],
    [`The probability for ${A} is 2 %, with a standard error of 31 %.`, '2 %', '31 %'],
    [`The probability for ${A} goes from 31 % to 1 %.`, '1 %'],
    ['The index is 40.', '40'],
    ['There are 2 alerts.', '2 alerts'],
    ['The health factor went from 0.98 to 1.60.', '0.98', '1.60'],
    [`The total debt of ${A} is 3,240.50 USD.`, '3,240.50 USD'],
  ])('refuses: %s', (text, ...figures) => {
    expect(wrong(text)).toEqual(figures);
  });

  it('a sentence that names no position is about the position of the sentence before', () => {
    expect(wrong(`The health factor of ${A} is 1.0743.`, 'It owes 1,240.50 USD.')).toEqual([]);
    expect(wrong(`The health factor of ${A} is 1.0743.`, 'It owes 400 USD.')).toEqual(['400 USD']);
  });
});
