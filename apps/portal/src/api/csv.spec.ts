import { csvOf } from './csv';

/** Responds to each path with a page. */
const responses =
  (pages: Record<string, { text: string; headers?: Record<string, string>; status?: number }>) =>
  async (path: string): Promise<Response> => {
    const page = pages[path];
    if (!page) throw new TypeError('fetch failed');
    return new Response(page.text, { status: page.status ?? 200, headers: page.headers ?? {} });
  };

describe('a list as CSV', () => {
  it('is the text of the API, when it has one page', async () => {
    const text = 'id,label\r\npos_1,"a, b"\r\n';
    expect(await csvOf('/v1/positions', responses({ '/v1/positions': { text } }))).toEqual({
      text,
      isIncomplete: false,
      isCut: false,
    });
  });

  it('has the rows of all pages below one line of names, and says that figures are missing', async () => {
    const read = responses({
      '/v1/positions': { text: 'id\r\na\r\n', headers: { link: '</v1/positions?cursor=2>; rel="next"' } },
      '/v1/positions?cursor=2': { text: 'id\r\nb\r\n', headers: { 'x-unreadable': '1' } },
    });
    expect(await csvOf('/v1/positions', read)).toEqual({
      text: 'id\r\na\r\nb\r\n',
      isIncomplete: true,
      isCut: false,
    });
  });

  it('says that a list has more pages than a file', async () => {
    const headers = { link: '</v1/positions>; rel="next"' };
    const { text, isCut } = await csvOf(
      '/v1/positions',
      responses({ '/v1/positions': { text: 'id\r\na\r\n', headers } }),
    );
    expect([text.split('\r\n').length - 2, isCut]).toEqual([50, true]);
  });

  it('fails with the problem of the API, or of the connection', async () => {
    const problem = { code: 'rate_limited', title: 'Too many requests' };
    const refused = responses({
      '/v1/positions': { text: JSON.stringify(problem), status: 429, headers: { 'retry-after': '12' } },
    });
    await expect(csvOf('/v1/positions', refused)).rejects.toMatchObject({
      code: 'rate_limited',
      status: 429,
      retryAfterMs: 12_000,
    });
    await expect(csvOf('/v1/positions', responses({}))).rejects.toMatchObject({ code: 'connection_failed' });
  });
});
