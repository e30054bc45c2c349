import fc from 'fast-check';
import { parseClientFrame } from './client-frame';

const kind = (value: unknown, stream: 'positions' | 'alerts' = 'alerts'): string =>
  parseClientFrame(JSON.stringify(value), stream).kind;

describe('parseClientFrame', () => {
  it.each([
    { type: 'ping' },
    { type: 'unsubscribe', id: 'a' },
    { type: 'subscribe', id: 'a' },
    { type: 'subscribe', id: 'a', filter: {} },
    {
      type: 'subscribe',
      id: 'a',
      filter: { wallets: [`0x${'aB'.repeat(20)}`], minSeverity: 'high', minUsd: 1 },
    },
  ])('accepts %j', (frame) => {
    expect(parseClientFrame(JSON.stringify(frame), 'alerts')).toEqual({ kind: 'frame', frame });
  });

  it.each([
    null,
    [],
    'ping',
    { type: 'constructor' },
    { type: 'ping', id: 'a' },
    { type: 'subscribe', id: '' },
    { type: 'subscribe', id: 'a'.repeat(65) },
    { type: 'subscribe', id: 'a', filter: { chainIds: ['1'] } },
    { type: 'subscribe', id: 'a', filter: { wallets: [] } },
    { type: 'subscribe', id: 'a', filter: { minSeverity: 'worst' } },
  ])('rejects %j', (frame) => expect(kind(frame)).toBe('invalid'));

  it('names the invalid field', () => {
    const parsed = parseClientFrame('{"type":"subscribe","id":"a","filter":{"minUsd":"1"}}', 'alerts');
    expect(parsed).toMatchObject({ kind: 'invalid', message: expect.stringContaining('/filter/minUsd') });
  });

  it('rejects a severity for positions', () => {
    expect(kind({ type: 'subscribe', id: 'a', filter: { minSeverity: 'low' } }, 'positions')).toBe('invalid');
  });

  it('never throws for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['frame', 'invalid', 'malformed']).toContain(parseClientFrame(text, 'positions').kind);
      }),
    );
  });
});
