import { ALL_PROXIES, coversSubId, ownSubId, proxiedSubId } from './proxy';

const [PROXY, OTHER] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const;

describe('the sub-id of a position that a proxy holds', () => {
  it("contains the protocol's own sub-id", () => {
    expect(ownSubId(proxiedSubId('7', PROXY))).toBe('7');
    expect(ownSubId(proxiedSubId('', PROXY))).toBe('');
    expect(ownSubId('0xmarket')).toBe('0xmarket');
  });

  it('is covered by an unreadable position of its proxy, and by one of all proxies', () => {
    const subId = proxiedSubId('7', PROXY);
    expect(coversSubId(proxiedSubId('', PROXY), subId)).toBe(true);
    expect(coversSubId(ALL_PROXIES, subId)).toBe(true);
    expect(coversSubId(subId, subId)).toBe(true);
    expect(coversSubId(proxiedSubId('', OTHER), subId)).toBe(false);
    expect(coversSubId(ALL_PROXIES, '7')).toBe(false);
    expect(coversSubId('', '7')).toBe(false);
  });
});
