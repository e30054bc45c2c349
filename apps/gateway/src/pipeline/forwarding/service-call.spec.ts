import { ServiceCall } from './service-call';

const HEAD = Buffer.from('ETag: "\xe9"\r\nX-Empty: \r\nVary: a', 'latin1');
const TEXTS = ['ETag', '"\xe9"', 'X-Empty', '', 'Vary', 'a'];
const PARTS = TEXTS.map((text, at) => {
  const begin = text === '' ? HEAD.indexOf('X-Empty: ') + 9 : HEAD.lastIndexOf(Buffer.from(text, 'latin1'));
  return at === TEXTS.length - 1 ? HEAD.subarray(-1) : HEAD.subarray(begin, begin + text.length);
});

describe('ServiceCall', () => {
  function headersFrom(raw: Buffer[], status = 200): string[] | undefined {
    let received: string[] | undefined;
    const call = new ServiceCall(
      { method: 'GET', path: '/', headers: [], body: null },
      {
        onHead: (_, headers) => (received = headers),
        onBody: () => true,
        onEnd: () => undefined,
        onFailure: () => undefined,
      },
    );
    call.onHeaders(status, raw, () => undefined);
    return received;
  }

  it.each([
    ['of one buffer', PARTS],
    ['of several buffers', PARTS.map((part) => Buffer.from([...part]))],
    ['of one buffer in another order', [4, 5, 0, 1, 2, 3].map((at) => PARTS[at]!)],
  ])('reads headers %s', (_, raw) => {
    expect(headersFrom(raw)).toEqual(raw.map((part) => part.toString('latin1')));
    expect(headersFrom(raw)?.toSorted()).toEqual(TEXTS.toSorted());
  });

  it('reads a head without headers, and ignores informational ones', () => {
    expect(headersFrom([])).toEqual([]);
    expect(headersFrom(PARTS, 103)).toBeUndefined();
  });

  it('refuses a connection after it was aborted, and reports no failure then', async () => {
    let failures = 0;
    const call = new ServiceCall(
      { method: 'GET', path: '/', headers: [], body: null },
      {
        onHead: () => undefined,
        onBody: () => true,
        onEnd: () => undefined,
        onFailure: () => (failures += 1),
      },
    );
    call.abort();
    expect(() => call.onConnect(() => undefined)).toThrow('aborted');
    call.onError(new Error('late'));
    await new Promise((resolve) => void setImmediate(resolve));
    expect(failures).toBe(0);
  });
});
