import type { Tier } from '@plimsoll/contracts';
import { requestedWallets } from './requested-wallets';

const many = (count: number): string =>
  Array.from({ length: count }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`).join(',');

describe('requestedWallets', () => {
  it.each<[Tier, number]>([
    ['open', 3],
    ['pro', 100],
    ['business', 100],
    ['enterprise', 100],
  ])('%s may name %d, and one more is rejected, not cut off', (tier, cap) => {
    expect(requestedWallets(many(cap), tier)).toHaveLength(cap);
    expect(() => requestedWallets(many(cap + 1), tier)).toThrow(
      expect.objectContaining({ code: 'tier_limit_exceeded' }),
    );
  });

  it('names the cap and the tier that raises it', () => {
    expect(() => requestedWallets(many(4), 'open')).toThrow(
      /accepts 3 on the open tier.*pro tier, which takes 100/,
    );
    expect(() => requestedWallets(many(101), 'enterprise')).toThrow(/several requests/);
  });

  it('counts the same wallet once, in any case', () => {
    const address = `0x${'ab'.repeat(20)}`;
    expect(requestedWallets(`${address},0x${'AB'.repeat(20)}, ${address},${many(2)}`, 'open')).toHaveLength(
      3,
    );
  });

  it.each(['', ',', `${many(1)},`, 'vitalik.eth'])('rejects %p and names the field', (text) => {
    expect(() => requestedWallets(text, 'pro')).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        options: { errors: [expect.objectContaining({ field: 'wallet' })] },
      }),
    );
  });
});
