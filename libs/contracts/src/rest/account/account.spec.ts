import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { EmailBody } from './account';
import { CreateKeyBody } from './keys';

const errorsOf = (dto: new () => object, body: object): string[] =>
  validateSync(plainToInstance(dto, body)).map(({ property }) => property);

describe('an e-mail address', () => {
  it.each(['ada@example.com', 'Ada.L+x@mail.example.co.uk', "o'hara@xn--bcher-kva.example", 'a@b.co'])(
    'accepts %s',
    (email) => {
      expect(errorsOf(EmailBody, { email })).toEqual([]);
    },
  );

  it.each([
    'ada',
    'ada@localhost',
    '@example.com',
    'ada@-example.com',
    'ada@example..com',
    'ada.@example.com',
    '.ada@example.com',
    'ada @example.com',
    'ada@example.com\n',
    'ada@example.com\r\nBcc: eve@example.com',
    `${'a'.repeat(250)}@b.co`,
    7,
    null,
  ])('rejects %j', (email) => {
    expect(errorsOf(EmailBody, { email })).toEqual(['email']);
  });
});

describe('the name of a key', () => {
  it.each(['production', ' a', 'prod 😀', 'für Ö'])('accepts %j', (name) => {
    expect(errorsOf(CreateKeyBody, { name })).toEqual([]);
  });

  it.each(['', '   ', '\u00a0', 'a\nb', 'a\u0007'])('rejects %j', (name) => {
    expect(errorsOf(CreateKeyBody, { name })).toEqual(['name']);
  });

  it('rejects an invalid megabyte as fast as an invalid byte', () => {
    const startedAtMs = performance.now();
    expect(errorsOf(CreateKeyBody, { name: `${'a'.repeat(1_000_000)}\n` })).toEqual(['name']);
    expect(performance.now() - startedAtMs).toBeLessThan(500);
  });
});
