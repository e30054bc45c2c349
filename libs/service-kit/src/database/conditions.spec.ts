import { Conditions } from './conditions';

describe('conditions of a query', () => {
  it('leave out a filter that is not set, and its parameter', () => {
    const conditions = new Conditions();
    conditions.equal('protocol', 'venus');
    conditions.equal('market', null);
    conditions.equal('action', undefined);
    conditions.where((parameter) => `usd >= ${parameter}`, 0);
    const limit = conditions.parameter(51);
    expect([conditions.sql, limit]).toEqual(['protocol = $1 AND usd >= $2', '$3']);
    expect(conditions.values).toEqual(['venus', 0, 51]);
  });
});
