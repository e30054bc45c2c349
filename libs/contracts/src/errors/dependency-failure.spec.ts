import { isDependencyFailure, TransientError } from './dependency-failure';

const withCode = (code: string): Error => Object.assign(new Error('it failed'), { code });

describe('isDependencyFailure', () => {
  it.each([
    ['a handler that says so', new TransientError('away')],
    ['a refused connection', withCode('ECONNREFUSED')],
    ['Postgres shutting down', withCode('57P01')],
    ['too many connections', withCode('53300')],
    ['a deadlock', withCode('40P01')],
    ['a cancelled statement', withCode('57014')],
    ['a table that is not there yet', withCode('42P01')],
    ['a connection that broke', new Error('Connection terminated unexpectedly')],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['kafkajs', Object.assign(new Error('no broker'), { name: 'KafkaJSConnectionError' })],
    ['a cause', new Error('reading the account failed', { cause: withCode('ECONNRESET') })],
    ['one of several', new AggregateError([new Error('no'), withCode('ETIMEDOUT')])],
  ])('returns true for %s', (_name, error) => expect(isDependencyFailure(error)).toBe(true));

  it.each([
    ['a bug of the handler', new TypeError('x is undefined')],
    ['a row that breaks a constraint', withCode('23505')],
    ['a value that is none', withCode('22P02')],
    ['something that is no error', 'ECONNREFUSED'],
  ])('returns false for %s', (_name, error) => expect(isDependencyFailure(error)).toBe(false));

  it('ends on a cause that is its own cause', () => {
    const error = new Error('round and round');
    error.cause = error;
    expect(isDependencyFailure(error)).toBe(false);
  });
});
