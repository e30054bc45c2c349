import { requestProblem } from './malformed';

const problemOf = (rawHeaders: string[], url = '/') => requestProblem({ url, rawHeaders })?.code;

describe('requestProblem', () => {
  it.each([
    ['no Host', []],
    ['two Hosts', ['Host', 'a', 'hOST', 'a']],
    ['more than 100 headers', ['Host', 'a', ...Array<string>(200).fill('x')]],
    ['an encoding before chunked', ['Host', 'a', 'Transfer-Encoding', 'gzip, chunked']],
    ['a second encoding', ['Host', 'a', 'Transfer-Encoding', 'chunked', 'transfer-encoding', 'x']],
  ])('%s', (_, headers) => expect(problemOf(headers)).toBe('invalid_request'));

  it('a fragment', () => expect(problemOf(['Host', 'a'], '/v1/positions?a#b')).toBe('invalid_request'));

  it.each([
    ['100 headers with one Host', ['Host', 'a', ...Array<string>(198).fill('x')]],
    ['a chunked body', ['Host', 'a', 'Transfer-Encoding', 'Chunked']],
  ])('accepts %s', (_, headers) => expect(problemOf(headers)).toBeUndefined());
});
