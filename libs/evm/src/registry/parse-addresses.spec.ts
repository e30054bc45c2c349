import { parseAddresses } from './parse-addresses';

describe('parseAddresses', () => {
  const [a, b] = [`0x${'aB'.repeat(20)}`, `0x${'cd'.repeat(20)}`];

  it('reads lines, lists and JSON, each address once and in lower case', () => {
    for (const text of [`${a}\n${b}\n${a}\n`, `${a}, ${b}`, JSON.stringify([a, b])])
      expect(parseAddresses(text)).toEqual([a.toLowerCase(), b]);
  });

  it('refuses a text without addresses, and a word that is none', () => {
    expect(() => parseAddresses(' \n')).toThrow('it has no addresses');
    expect(() => parseAddresses(`${a} 0x12`)).toThrow('0x12 is no address');
  });
});
