import { headersProblem } from './malformed';

describe('headersProblem', () => {
  it.each([
    ['no Host', []],
    ['two Hosts', ['Host', 'a', 'hOST', 'a']],
    ['more than 100 headers', ['Host', 'a', ...Array<string>(200).fill('x')]],
  ])('%s', (_, headers) => expect(headersProblem(headers)?.code).toBe('invalid_request'));

  it('accepts 100 headers with one Host', () => {
    expect(headersProblem(['Host', 'a', ...Array<string>(198).fill('x')])).toBeUndefined();
  });
});
