import type { Fact } from '../facts/fact';
import type { Claim } from '../facts/draft-answer';
import { draftJudge } from './judge-draft';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const fact = (id: string, label: string, value: Fact['value'], unit: Fact['unit']): Fact => ({
  id,
  label,
  value,
  unit,
  time: '2026-11-22T12:00:00Z',
  source: 'GET /v1/positions',
});
const FACTS = new Map(
  [
    fact('one.healthFactor', 'health factor', 1.0743, 'ratio'),
    fact('one.debtUsd', 'debt', 1_240.5, 'usd'),
    fact('one.riskLevel', 'risk level', 'high', 'enum'),
  ].map((each) => [each.id, each]),
);
const TEMPLATE = {
  claims: [
    {
      text: 'The health factor is 1.0743 and the risk level is high.',
      factIds: ['one.healthFactor', 'one.riskLevel'],
    },
  ],
  cannotAnswer: null,
};

const complaints = (claims: readonly Claim[], cannotAnswer: string | null = null, template = TEMPLATE) =>
  draftJudge(template, FACTS, NOW)({ claims, cannotAnswer }).complaints;
const said = (text: string, factIds = ['one.healthFactor', 'one.riskLevel']): string[] =>
  complaints([{ text, factIds }]);

describe('draftJudge', () => {
  it('accepts the same figures in other words', () => {
    expect(said('Its risk level is high, with a health factor of 1.07.')).toEqual([]);
  });

  it('names the figures that no fact supports', () => {
    expect(said('The health factor is 1.08.')).toEqual([
      'Claim 1: "1.08" is not the value of a fact that it cites.',
      expect.any(String),
    ]);
    expect(said('The health factor is 1.07.', ['one.healthFactor', 'other'])).toEqual([
      'Claim 1: "other" is not the id of a fact.',
    ]);
  });

  it.each([
    ['See [here](https://evil.example): the health factor is 1.07.', 'holds a link'],
    ['The health factor is 1.07 <img src=x>.', 'holds a link'],
    ['Is the health factor 1.07?', 'is a question'],
  ])('refuses: %s', (text, reason) => {
    expect(said(text).join()).toContain(reason);
  });

  it('rejects a correct figure under another name', () => {
    expect(
      said('The health factor is 1.0743, with collateral of 1,240.50 USD.', [
        'one.healthFactor',
        'one.debtUsd',
      ]),
    ).toEqual([expect.stringContaining('"1,240.50 USD" is the figure of something else')]);
  });

  it('rejects a sentence that is unrelated to its facts', () => {
    const good = { text: 'The health factor is 1.07.', factIds: ['one.healthFactor'] };
    expect(complaints([good, { text: 'PWNED', factIds: ['one.healthFactor'] }])).toEqual([
      'Claim 2: it says nothing of the facts that it cites.',
    ]);
    expect(
      complaints([good, { text: 'The risk level tells the same.', factIds: ['one.riskLevel'] }]),
    ).toEqual([]);
  });

  it('accepts a sentence without facts only if the template has it', () => {
    const own = { text: 'None of them is at risk.', factIds: [] };
    const template = { ...TEMPLATE, claims: [...TEMPLATE.claims, own] };
    expect(complaints([TEMPLATE.claims[0]!, own], null, template)).toEqual([]);
    expect(complaints([TEMPLATE.claims[0]!, own])).toEqual([
      'Claim 2: it says nothing of the facts that it cites.',
    ]);
  });

  it('rejects an answer to another question, and an unnecessary refusal', () => {
    expect(said('The debt is 1,240.50 USD.', ['one.debtUsd'])).toEqual([
      'The template says one.healthFactor (health factor): say it too, in its section.',
    ]);
    expect(complaints([], 'I must not say.')).toContain(
      'The facts do answer the question: write what the template says.',
    );
  });

  it('rejects a section that the template does not have', () => {
    expect(
      complaints([{ text: 'The health factor is 1.07.', factIds: ['one.healthFactor'], section: 'News' }]),
    ).toEqual([
      'Claim 1: its section is none of the template.',
      'The template says one.healthFactor (health factor): say it too, in its section.',
      'There is no claim of section null.',
    ]);
  });
});
