import { isRequestId, isTraceparent } from './correlation';

describe('isRequestId', () => {
  it.each(['a', 'req_1', 'A.b-c_9', 'x'.repeat(128)])('keeps %s', (text) =>
    expect(isRequestId(text)).toBe(true),
  );
  it.each(['', 'a b', 'ä', 'x'.repeat(129), 'a\nb', undefined])('rejects %j', (text) =>
    expect(isRequestId(text)).toBe(false),
  );
});

describe('isTraceparent', () => {
  const good = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  it('accepts version 00', () => expect(isTraceparent(good)).toBe(true));
  it.each([
    '',
    good.replace('00-', 'ff-'),
    good.replace('4bf92f3577b34da6a3ce929d0e0e4736', '0'.repeat(32)),
    `${good}-x`,
    undefined,
  ])('rejects %j', (text) => expect(isTraceparent(text)).toBe(false));
});
