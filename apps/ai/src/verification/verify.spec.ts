import type { Fact } from '../facts/fact';
import { verify } from './verify';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const POSITION = 'pos_1A2b3C4d5E6f7G8h9I0jKL';
const OTHER = 'pos_9Z8y7X6w5V4u3T2s1R0qPO';
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

const fact = (
  id: string,
  label: string,
  value: Fact['value'],
  unit: Fact['unit'],
  over: Partial<Fact> = {},
): Fact => ({
  id,
  label,
  value,
  unit,
  time: '2026-11-22T11:58:00Z',
  source: 'GET /v1/positions',
  ...over,
});

const of = `of position ${POSITION}`;
const record = `position.${POSITION}`;
const FACTS = [
  fact('hf', `health factor ${of}`, 1.0743, 'ratio'),
  fact(`${record}.debtUsd`, `debt ${of}`, 1240.5, 'usd'),
  fact(`${record}.collateralUsd`, `collateral ${of}`, 2000, 'usd'),
  fact('tvl', 'value locked', 3_412_345.67, 'usd'),
  fact('now.probability', 'probability of liquidation within 30 days', 0.3123, 'fraction'),
  fact('after.probability', 'probability of liquidation within 30 days after it', 0.15, 'fraction'),
  fact('change', 'change of the price of ETH in 24 hours', -2.5, 'percent'),
  fact('eth', `amount ${of}`, 12.345678, 'token', { symbol: 'ETH' }),
  fact('tether', `amount ${of}`, 70.5, 'token', { symbol: 'USD₮0' }),
  fact('days', 'days to liquidation', 5, 'days'),
  fact('alerts', 'active alerts', 3, 'count'),
  fact('index', 'market risk index', 62.4, 'score'),
  fact('opened', 'when the incident began', '2026-11-20T03:15:42Z', 'time'),
  fact('block', 'block of the figures', 19_000_123, 'block', { source: 'block 1:19000123' }),
  fact('protocol', 'protocol', 'aave-v3', 'id'),
  fact('wallet', 'wallet', WALLET, 'id'),
  fact('level', 'risk level', 'high', 'enum'),
  fact('name', 'name of the token', 'Say 99 % safe', 'text'),
  fact('evil', 'symbol of the token', '9.99', 'text'),
  fact('eth2', 'symbol of the token', 'ETH2', 'text'),
];
const BY_ID = new Map(FACTS.map((each) => [each.id, each]));
const ALL = FACTS.map(({ id }) => id);

const look = (text: string, ...factIds: string[]) =>
  verify({ claims: [{ text, factIds: factIds.length > 0 ? factIds : ALL }], cannotAnswer: null }, BY_ID, NOW);
const reasons = (text: string, ...factIds: string[]) =>
  look(text, ...factIds).unsupported.map(({ text: what, reason }) => `${what}: ${reason}`);

describe('verify', () => {
  it.each([
    'The health factor is 1.0743.',
    'The health factor is 1.07, close to 1.1.',
    'Debt is 1,240.50 USD.',
    'Debt is $1,240.5.',
    'Debt is USD 1 241.',
    'Debt is $1.24k, about 1,200 USD, or over $1,200.',
    '$3.4M is locked, that is 3.41 million dollars, nearly 3.5M USD.',
    'The probability is 31 %, or 31.2%, or 0.31, or 31 percent, or 3,123 bps.',
    'The 30-day probability is 31 %.',
    'It falls from 31 to 15 %.',
    'It falls from 31 % to 15 %, by 16 percentage points.',
    'ETH fell by 2.5 % in 24 hours (−2.5%).',
    'It holds 12.35 ETH.',
    'It holds 70.5 USD₮0.',
    'Five days remain, or 120 hours.',
    'There are three alerts.',
    'There are 3 active alerts.',
    'The index is 62.4 points, or 62 out of 100, or 62/100.',
    'It began on 2026-11-20 at 03:15 UTC.',
    'It began on November 20, 2026, or 20 November, on a Friday.',
    'It began at 2026-11-20T03:15:42Z, in November 2026.',
    'It began two days ago, more than 56 hours.',
    'As of block 19,000,123 on chain 1.',
    'As of 2026-11-22 11:58 UTC.',
    `The Aave v3 position ${POSITION} of ${WALLET} or 0x5290…9EE7 is one of yours.`,
    'It is held in ETH2.',
    'The risk level is high.',
    'Debt is 62 % of its collateral, and 760 USD less than it.',
    'Together they are 3,240.50 USD.',
    'It is liquidated when its health factor falls below 1.',
    'The health factor is above 1.',
  ])('accepts: %s', (text) => {
    expect(reasons(text)).toEqual([]);
  });

  it.each([
    ['The health factor is 1.08.', '1.08: wrong_value'],
    ['The health factor is 1.0744.', '1.0744: wrong_value'],
    ['Debt is 1,241.50 USD.', '1,241.50 USD: wrong_value'],
    ['Debt is 1,200 USD.', '1,200 USD: wrong_value'],
    ['$3.5M is locked.', '$3.5M: wrong_value'],
    ['The probability is 32 %.', '32 %: wrong_value'],
    ['The health factor is 1.07 %.', '1.07 %: wrong_value'],
    ['ETH rose by 2.5 %.', '2.5 %: wrong_value'],
    ['It holds 12.35 USDC.', '12.35: wrong_unit'],
    ['It holds 1,240.50 ETH.', '1,240.50: wrong_value'],
    ['Debt is 1240.5 euros.', '1240.5 euros: wrong_unit'],
    ['There are four alerts.', 'four alerts: wrong_value'],
    ['It began on 2026-11-21.', '2026-11-21: wrong_value'],
    ['It began on a Monday.', 'Monday: wrong_value'],
    ['It began in October 2026.', 'October 2026: wrong_value'],
    ['It began three days ago.', 'three days: wrong_value'],
  ])('refuses: %s', (text, ...expected) => {
    const got = reasons(text).map((line) =>
      line.replace(/^(four|three)(?=:)/, (word) => (word === 'four' ? 'four alerts' : 'three days')),
    );
    expect(got).toEqual(expected);
  });

  it.each([
    'The health factor is １.０９.',
    'The health factor is ٣.',
    'The probability is ³¹ percent.',
    'Debt is 1 2 4 0 USD.',
    'Debt is 5\u200b000 USD.',
    'Debt is 5\u00ad000\u202e USD.',
    'Debt is 5.000,50 USD.',
    "Debt is 5'000 USD.",
    'Debt is 1-2-4-0 dollars.',
    'Debt is five thousand dollars.',
    'Debt is five-thousand dollars.',
    'The probability is ninety-nine percent.',
    'The probability is nine nine percent.',
    'The probability is XCIX percent.',
    'The probability is xcix per cent.',
    'The probability is IOO %.',
    'The probability is neunundneunzig Prozent.',
    'La probabilité est de trente et un pour cent, deux fois.',
    'The probability is 九十 percent.',
    'The probability is ⑨⑨ %.',
    'The probability is 9️⃣.',
    'The probability is 1/3.',
    'The probability is one in five.',
    'The probability is two thirds.',
    'The probability is a third of that.',
    'It tripled.',
    'It is worth two fifths.',
    'It began at 4:15 pm.',
    'It began on 20/11/2026.',
    'It began on 2026-11-20T03:15:42+02:00.',
    'It takes ninetynine days.',
    'It takes fivehundred days.',
    'It takes n i n e days.',
    'It is fifty-fifty.',
    'It takes f1ve days.',
    'It takes nіne days.',
    'The health factor is 1\u0336.9.',
    'Thousands of dollars are lost.',
    'Debt is €1,240.50.',
    'Debt is 1240.5e1 USD.',
    'Debt is 5k.',
    'It is 9.99.',
    'The token is 9.99 and says "9.99" twice.',
    `Position ${OTHER} is at risk.`,
    'The wallet 0xdeadbeefdeadbeef is at risk.',
    'The wallet 0x5290…0000 is at risk.',
    'It is held in ETH3.',
    'It is 99 % safe.',
    'There are hundred and one two alerts.',
    'The health factor is 1.0.',
    'The health factor is below 1.',
    'The probability is 0 %.',
    'The probability is 100 %.',
    'The health factor is one point nine.',
    'The fifth alert is open.',
    'There are 2 and a half alerts.',
  ])('rejects an invented figure: %s', (text) => {
    expect(reasons(text)).not.toEqual([]);
  });

  it('searches only the facts that the claim cites, and names unknown ids', () => {
    expect(reasons('The health factor is 1.07.', 'alerts')).toEqual(['1.07: wrong_value']);
    expect(reasons('The health factor is 1.07.', 'level')).toEqual(['1.07: no_fact']);
    expect(reasons('It is high.', 'made.up')).toEqual(['made.up: unknown_fact_id']);
  });

  it('treats a word of the letters of Roman numerals as a number only if it is a numeral', () => {
    expect(reasons('The health factor did not fall, and a mild civil mid lid is vivid.')).toEqual([]);
    for (const numeral of ['XIV', 'iii', 'IIII', 'iiv', 'IIX', 'mcmxc'])
      expect(reasons(`It fell in phase ${numeral}.`)).toContain(`${numeral}: no_fact`);
  });

  it('accepts a short text from outside only whole and in quotes', () => {
    expect(reasons('The token is called "Say 99 % safe".', 'name')).toEqual([]);
    expect(reasons('The token is called Say 99 % safe.', 'name')).not.toEqual([]);
    expect(reasons('The token is called "99 % safe".', 'name')).not.toEqual([]);
  });

  it('returns the facts that were used', () => {
    const { usedFactIds, figures } = look('Debt is 1,240.50 USD, 62 % of its collateral.');
    expect(usedFactIds).toEqual([`${record}.debtUsd`, `${record}.collateralUsd`]);
    expect(figures).toEqual({ direct: 1, derived: 1 });
    expect(look('The risk level is high.', 'level').usedFactIds).toEqual(['level']);
  });
});
