import { Passwords } from './passwords';

jest.setTimeout(30_000);

describe('Passwords', () => {
  const passwords = new Passwords();

  it('are stored as argon2id with OWASP’s parameters, and verified', async () => {
    const stored = await passwords.hash('correct horse battery');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await expect(passwords.isRight(stored, 'correct horse battery')).resolves.toBe(true);
    await expect(passwords.isRight(stored, 'correct horse batterz')).resolves.toBe(false);
  });

  it('are equal for every Unicode composition of their letters', async () => {
    const stored = await passwords.hash('pässwörd of twelve');
    await expect(passwords.isRight(stored, 'pa\u0308sswo\u0308rd of twelve')).resolves.toBe(true);
  });

  it('never match when no password is stored', async () => {
    await expect(passwords.isRight(null, '')).resolves.toBe(false);
  });

  it('are refused when too many wait, and accepted again afterwards', async () => {
    const all = await Promise.allSettled(Array.from({ length: 30 }, () => passwords.isRight(null, 'x')));
    const refused = all.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(8);
    expect(refused[0]).toMatchObject({ reason: { code: 'upstream_unavailable' } });
    await expect(passwords.isRight(null, 'x')).resolves.toBe(false);
  });
});
