import { withoutSecrets } from './without-secrets';

describe('withoutSecrets', () => {
  it.each([
    'psk_live_0123456789abcdefghijABCDEFGHIJ01abcdef',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'Bearer eyJhbGciOiJIUzI1NiJ9.abc',
    'sk-proj-0123456789abcdef',
    `0x${'a'.repeat(64)}`,
  ])('removes %s', (secret) =>
    expect(withoutSecrets(`my key is ${secret}, ok?`)).toBe('my key is [removed], ok?'),
  );

  it('keeps ids and addresses', () => {
    const text = 'pos_2q8v0Q9YyqYw1sYk9pS5xM of 0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    expect(withoutSecrets(text)).toBe(text);
  });
});
