import fc from 'fast-check';
import { namehash, normalize } from 'viem/ens';
import { normalName } from './name';

describe('normalName', () => {
  // The kinds of names that ENSIP-15 defines: case, emoji with and without FE0F, leading signs, other scripts.
  it.each([
    ['Nick.ETH', 'nick.eth'],
    ['🏴‍☠️.eth', '🏴‍☠.eth'],
    ['RaFFY🚴‍♂️.eTh', 'raffy🚴‍♂.eth'],
    ['-.eth', '-.eth'],
    ['_test.eth', '_test.eth'],
    ['💩️.eth', '💩.eth'],
    ['Ξ.eth', 'ξ.eth'],
  ])('normalises %s', (text, name) => expect(normalName(text)).toBe(name));

  it.each([
    ['an empty label', 'a..eth'],
    ['a leading dot', '.eth'],
    ['a trailing dot', 'nick.eth.'],
    ['one label', 'eth'],
    ['a space', 'a b.eth'],
    ['an underscore inside', 'a_b.eth'],
    ['hyphens as in punycode', 'ab--c.eth'],
    ['letters of two scripts', 'vitаlik.eth'],
    ['the hash of a label', `[${'ab'.repeat(32)}].eth`],
    ['a null character', 'a\0.eth'],
    ['more labels than are read', `${'a.'.repeat(10)}eth`],
    ['more bytes than DNS has', `${'é'.repeat(130)}.eth`],
  ])('rejects %s', (_, text) => expect(normalName(text)).toBeNull());
});

describe('a name of letters, digits and hyphens', () => {
  const label = fc.string({ unit: fc.constantFrom(...'ab09--'), minLength: 1, maxLength: 8 });
  const names = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));

  function normalizedByViem(text: string): string | null {
    try {
      return normalize(text);
    } catch {
      return null;
    }
  }

  it('is what viem makes of it', () => {
    fc.assert(fc.property(names, (text) => expect(normalName(text)).toBe(normalizedByViem(text))));
  });
});

describe('namehash', () => {
  // Examples of ENSIP-1.
  it.each([
    ['', '0x0000000000000000000000000000000000000000000000000000000000000000'],
    ['eth', '0x93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae'],
    ['foo.eth', '0xde9b09fd7c5f901e23a3f19fecc54828e9c848539801e86591bd9801b019f84f'],
  ])('hashes "%s"', (name, hash) => expect(namehash(name)).toBe(hash));
});
