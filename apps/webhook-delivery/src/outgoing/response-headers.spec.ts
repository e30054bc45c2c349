import { headerLines, headersOfLines } from './response-headers';

const shown = (headers: Parameters<typeof headerLines>[0]): Record<string, string> =>
  Object.fromEntries(headersOfLines(headerLines(headers)).map(({ name, value }) => [name, value]));

describe('headers of a response in the log', () => {
  it('are those of the response, in its order', () => {
    expect(
      headersOfLines(headerLines({ server: 'nginx', 'content-type': 'text/plain', via: 'a: b' })),
    ).toEqual([
      { name: 'server', value: 'nginx' },
      { name: 'content-type', value: 'text/plain' },
      { name: 'via', value: 'a: b' },
    ]);
    expect(headersOfLines(headerLines({}))).toEqual([]);
  });

  it('have no values that may be secrets', () => {
    expect(
      shown({
        'set-cookie': ['session=s3cret'],
        'x-api-key': 's3cret',
        'www-authenticate': 'Bearer s3cret',
        'x-amz-security-token': 's3cret',
        location: 'https://example.com/hook?token=s3cret',
        link: '<https://example.com/?page=2&key=s3cret>; rel="next"',
      }),
    ).toEqual({
      'set-cookie': 'hidden',
      'x-api-key': 'hidden',
      'www-authenticate': 'hidden',
      'x-amz-security-token': 'hidden',
      location: 'https://example.com/hook?…',
      link: '<https://example.com/?…>; rel="next"',
    });
  });

  it('are bounded, and have neither NUL nor line breaks', () => {
    expect(shown({ long: 'x'.repeat(5_000) })).toEqual({ long: `${'x'.repeat(256)}…` });
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'y'.repeat(300)]),
    );
    expect(headerLines(many).length).toBeLessThanOrEqual(4_096);
    const cookies = headerLines({ 'x-many': Array.from({ length: 500 }, () => 'y') as never });
    expect(headersOfLines(cookies)).toHaveLength(40);
    expect(shown({ odd: 'a\0b\r\nc' })).toEqual({ odd: 'a b  c' });
  });
});
