import { refusedName } from './name-policy';

describe('refusedName', () => {
  it.each([
    ['intranet', 'private_name'],
    ['-1', 'private_name'],
    ['printer.local', 'private_name'],
    ['localhost.localdomain', 'private_name'],
    ['metadata.google.internal', 'private_name'],
    ['metadata.google.internal.', 'private_name'],
    ['router.home.arpa', 'private_name'],
    ['10.in-addr.arpa', 'private_name'],
    ['hooks.test', 'private_name'],
    ['hooks.invalid', 'private_name'],
    ['hooks.onion', 'private_name'],
    ['api.default.svc', 'private_name'],
    ['metadata.goog', 'private_name'],
    ['127.0.0.1..', 'not_a_name'],
    ['a..example.com', 'not_a_name'],
    ['.', 'not_a_name'],
    [`${'a'.repeat(64)}.com`, 'not_a_name'],
    [`${'a.'.repeat(126)}com`, 'not_a_name'],
  ])('refuses %s as %s', (name, reason) => expect(refusedName(name)).toBe(reason));

  it.each([
    'example.com',
    'example.com.',
    'local.example.com',
    'internal.io',
    'my.notlocal',
    'svc.example.com',
    'localhost',
    'api.localhost',
    `${'a'.repeat(63)}.com`,
  ])('leaves %s to its addresses', (name) => expect(refusedName(name)).toBeNull());
});
