import fc from 'fast-check';
import { encodeCommand } from '../persistence/append-only-file';
import { RequestParser } from './request-parser';

const anyBytes = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
const anyRequest = fc.array(anyBytes, { minLength: 1, maxLength: 6 });

describe('RequestParser', () => {
  it('returns the same requests however the bytes are split', () => {
    fc.assert(
      fc.property(
        fc.array(anyRequest, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 30 })),
        (requests, cuts) => {
          const bytes = Buffer.from(requests.map(encodeCommand).join(''), 'latin1');
          const parser = new RequestParser();
          const parsed: string[][] = [];
          for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
            const end = at + (cuts[cut] ?? bytes.length);
            parsed.push(...parser.push(bytes.subarray(at, end)));
            at = end;
          }
          expect(parsed).toEqual(requests);
        },
      ),
    );
  });

  it('accepts a line of words as a request', () => {
    expect(new RequestParser().push(Buffer.from('SET a  1\r\n\r\nGET a\n'))).toEqual([
      ['SET', 'a', '1'],
      ['GET', 'a'],
    ]);
  });

  it.each([
    ['*x\r\n', 'Protocol error: invalid multibulk length'],
    ['*1\r\n+a\r\n', "Protocol error: expected '$', got '+'"],
    ['*1\r\n$-5\r\n', 'Protocol error: invalid bulk length'],
    [`*1\r\n$${65 * 1_048_576}\r\n`, 'Protocol error: invalid bulk length'],
    ['x'.repeat(70_000), 'Protocol error: too big inline request'],
  ])('refuses %j', (text, message) => {
    const parser = new RequestParser();
    expect(parser.push(Buffer.from(`PING\r\n${text}`))).toEqual([['PING']]);
    expect(parser.failure?.message).toBe(message);
    expect(parser.push(Buffer.from('PING\r\n'))).toEqual([]);
  });

  it('holds no more of an unfinished request than its limit', () => {
    const parser = new RequestParser({ argumentBytes: 1_000, arguments: 10, pendingBytes: 100 });
    parser.push(Buffer.from(`*1\r\n$900\r\n${'x'.repeat(200)}`));
    expect(parser.failure?.message).toBe('Protocol error: too big request');
  });
});
