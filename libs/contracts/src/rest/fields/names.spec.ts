import { WALLETS_PATTERN, WALLET_PATTERN, isEnsName } from './names';

describe('isEnsName', () => {
  it('distinguishes names from addresses and from other values', () => {
    const values = ['vitalik.eth', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'eth', null, 1.5];
    expect(values.map(isEnsName)).toEqual([true, false, false, false, false]);
  });
});

describe.each([WALLET_PATTERN, WALLETS_PATTERN])('%s', (pattern) => {
  it('fits names, but none with the character U+0000, which Postgres cannot store', () => {
    const fits = ['vitalik.eth', 'vita\u0000lik.eth', 'vitalik.et\u0000h'].map((text) =>
      new RegExp(pattern).test(text),
    );
    expect(fits).toEqual([true, false, false]);
  });
});
