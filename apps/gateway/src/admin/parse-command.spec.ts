import { randomBytes } from 'node:crypto';
import { generateApiKey } from '@plimsoll/access';
import { SCOPES } from '@plimsoll/contracts';
import { UsageError, parseCommand } from './parse-command';

const now = new Date('2026-11-21T12:00:00Z');
const parse = (line: string) => parseCommand(line.split(' '), now);
const account = `acc_${'0'.repeat(22)}`;

describe('admin', () => {
  it('parses every command', () => {
    expect(parse('accounts create --tier business --email A@x.io')).toEqual({
      name: 'accounts create',
      email: 'a@x.io',
      terms: { tier: 'business', requestsPerMinute: null },
    });
    expect(parse(`accounts set-tier --id ${account} --tier enterprise --per-minute 5000`)).toEqual({
      name: 'accounts set-tier',
      account: { id: account },
      terms: { tier: 'enterprise', requestsPerMinute: 5_000 },
    });
    expect(parse(`keys create --account ${account}`)).toMatchObject({
      key: { scopes: SCOPES, expiresAt: null, kind: 'live' },
    });
    expect(
      parse(`keys create --account ${account} --demo --scopes alerts:read --expires-at 2027-01-01T00:00:00Z`),
    ).toMatchObject({ key: { scopes: ['alerts:read'], expiresAt: new Date('2027-01-01'), kind: 'demo' } });
    expect(parse('plan-requests list')).toEqual({ name: 'plan-requests list' });
    expect(parse('keys list')).toEqual({ name: 'keys list', accountId: undefined });
    expect(parse('operator-alerts list')).toEqual({ name: 'operator-alerts list', at: undefined });
    expect(parse('operator-alerts list --at http://a:1,https://b')).toEqual({
      name: 'operator-alerts list',
      at: ['http://a:1', 'https://b'],
    });
    expect(parse('--help')).toEqual({ name: 'help' });
  });

  it('accepts only a demo key with the right checksum', () => {
    const key = generateApiKey('demo', randomBytes);
    expect(parse(`ensure-demo --tier pro --email a@x.io --key ${key}`)).toMatchObject({ key });
    expect(() => parse(`ensure-demo --tier pro --email a@x.io --key ${key}x`)).toThrow(UsageError);
    expect(() =>
      parse(`ensure-demo --tier pro --email a@x.io --key ${generateApiKey('live', randomBytes)}`),
    ).toThrow(UsageError);
  });

  it.each([
    'accounts',
    'accounts drop',
    'accounts create --email a@x.io',
    'accounts create --email nobody --tier pro',
    'accounts create --email a@x.io --tier gold',
    'accounts create --email a@x.io --tier pro --per-minute 5',
    'accounts create --email a@x.io --tier enterprise --per-minute 0',
    'accounts set-tier --tier pro',
    `accounts set-tier --tier pro --email a@x.io --id ${account}`,
    'keys create --account 7',
    `keys create --account ${account} --scopes alerts:read,everything`,
    `keys create --account ${account} --expires-at 2020-01-01`,
    `keys create --account ${account} --expires-at soon`,
    'keys revoke --key x',
    'keys list now',
    'operator-alerts',
    'operator-alerts list --at localhost:4501',
    'operator-alerts list --at http://a,',
  ])('rejects: %s', (line) => {
    expect(() => parse(line)).toThrow(UsageError);
  });

  it.each([
    ['accounts', 'There is no command "accounts".'],
    ['accounts drop now', 'There is no command "accounts drop".'],
    ['ensure', 'There is no command "ensure".'],
    ['keys revoke', '--id is missing.'],
    ['keys revoke --key x', "Unknown option '--key'."],
  ])('states for %s: %s', (line, message) => {
    expect(() => parse(line)).toThrow(message);
  });
});
