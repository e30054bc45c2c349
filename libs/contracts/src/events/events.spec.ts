import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { EVENTS, parseWalletKey, walletKey, type EventTopic } from '.';

const fixture = (topic: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(__dirname, 'fixtures', `${topic}.json`), 'utf8')) as Record<string, unknown>;

describe.each(Object.keys(EVENTS) as EventTopic[])('%s', (topic) => {
  const event = EVENTS[topic];
  const value = fixture(topic);

  it('parses its fixture', () => {
    expect(event.explain(value)).toBe('');
    expect(event.check(value)).toBe(true);
  });

  it.each(Object.keys(value))('rejects an event without %s and names the path', (field) => {
    const { [field]: _gone, ...rest } = value;
    expect(event.check(rest)).toBe(false);
    expect(event.explain(rest)).toContain(`/${field}`);
  });

  it('has the documented key', () => {
    const keys: Record<EventTopic, unknown> = {
      'account.v1': value['accountId'],
      'wallet.v1': `${String(value['accountId'])}|${String(value['wallet'])}`,
      'key.v1': value['keyId'],
      'session.v1': value['accountId'],
      'position.v1': value['id'],
      'alert.v1': value['accountId'],
      'alert-change.v1': value['accountId'],
      'alert-group.v1': value['accountId'],
      'delivery.v1': value['webhookId'],
      'rule.v1': value['ruleId'],
      'webhook.v1': value['webhookId'],
      'price.v1': value['asset'],
      'price-history.v1': value['asset'],
      'oracle-price.v1': '1|aave-v3|AaveV3Ethereum',
      'parameter-change.v1': '1|aave-v3|AaveV3Ethereum',
      'covariance.v1': 'daily_log',
      'chain.v1': String(value['chainId']),
      'whale.v1': value['wallet'],
      'execution.v1': value['executionId'],
      'automation.v1': value['executionId'],
      'receipt-root.v1': 'receipts',
    };
    expect((event.keyOf as (v: unknown) => string)(value)).toBe(keys[topic]);
  });
});

describe('event fixtures', () => {
  const names = readdirSync(join(__dirname, 'fixtures')).map((file) => file.replace(/\.json$/, ''));

  it('exist for every version, and every fixture has an event', () => {
    const firsts = names.filter((name) => !name.includes('+'));
    expect(firsts.sort()).toEqual(Object.keys(EVENTS).sort());
  });

  // `<topic>+<addition>.json`: a field that was added to a version after its first fixture.
  it.each(names.filter((name) => name.includes('+')))('%s parses as its version', (name) => {
    const [topic] = name.split('+') as [EventTopic];
    expect(EVENTS[topic].explain(fixture(name))).toBe('');
  });
});

describe('walletKey', () => {
  it('is the inverse of parseWalletKey, in lower case', () => {
    expect(parseWalletKey(walletKey('acc_1', '0xAB'))).toEqual({ accountId: 'acc_1', wallet: '0xab' });
  });
});
