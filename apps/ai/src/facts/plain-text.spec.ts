import { plainText } from './plain-text';

const plain = (text: string): string => plainText(text, 500);

describe('plainText', () => {
  it('leaves text, numbers and identifiers unchanged', () => {
    const text =
      'Aave v3: health factor 1.07 < 1.1, debt $1,240.50 (USDC.e), i.e. 31 % — “high”; e.g. $3.4M, 1.2k.';
    expect(plain(text)).toBe(text);
  });

  it('drops control, zero-width and bidirectional characters', () => {
    expect(plain('a\u0000b\u200bc\u202ed\u2066e\ufefff\u00adg\u{e0041}h\ufe0f')).toBe('a bcdefgh');
    expect(plain('one\r\n\r\n# two\u2028three\tfour')).toBe('one # two three four');
  });

  it.each([
    ['see [the app](https://evil.example/x?y=1) now', 'see the app now'],
    ['![pixel](https://evil.example/p.png) now', 'now'],
    ['![pixel][1] now [1]: https://evil.example', 'now'],
    ['<https://evil.example> now', 'now'],
    ['<img src=x onerror=alert(1)> now', 'now'],
    ['<script>alert(1)</script> now', 'now'],
    ['<scr<b></b>ipt src=//evil.example> now', 'ipt src= now'],
    ['go to https://evil.example/a now', 'go to now'],
    ['go to hxxps://evil[.]example/a now', 'go to now'],
    ['go to www.evil.example now', 'go to now'],
    ['go to evil.example/claim now', 'go to now'],
    ['go to vitalik.eth now', 'go to now'],
    ['go to evil dot com now', 'go to now'],
    ['go to евил.рф now', 'go to now'],
    ['mail help@evil.example now', 'mail now'],
    ['run javascript:alert(1) now', 'run now'],
    ['ht\u200btps://evil.example now', 'now'],
    ['&#104;ttps&#x3a;//evil.example now', 'now'],
    ['&lt;img src=x&gt; now', 'now'],
    ['&amp;lt;img src=x&amp;gt; now', 'now'],
    ['[a](htt[b](c)ps://evil.example) now', 'a(c) now'],
    ['# Heading', 'Heading'],
    ['> quote', 'quote'],
  ])('%s', (text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  it('caps the length between words and never splits a character', () => {
    expect(plainText('one two three four', 10)).toBe('one two…');
    expect(plainText('😀😀😀😀', 4)).toBe('😀…');
    expect(plainText('a'.repeat(1_000_000), 100)).toHaveLength(100);
  });

  it('returns nothing for nested markup', () => {
    const layers = Array.from({ length: 20 }).reduce<string>(
      (inner) => inner.replaceAll('&', '&amp;'),
      '&lt;b&gt;',
    );
    expect(plain(layers.slice(0, 2_000))).not.toContain('<b>');
  });

  it('takes time in proportion to the text', () => {
    for (const piece of ['[', '![', '<', '&#', 'a.', 'a@', '[a](', '//', '. dot ']) {
      const before = process.cpuUsage();
      plainText(piece.repeat(20_000), 40_000);
      expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
    }
  });
});
