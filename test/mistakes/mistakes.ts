/** The sender of a request. `reader` is a key that may only read positions. `session` is a browser. */
export type Sender = 'nobody' | 'open' | 'pro' | 'enterprise' | 'reader' | 'session';

/** A request. `{webhook}` and `{wallet}` in its path are records of another account. */
export interface MistakenRequest {
  by: Sender;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** The body as text, where it is no JSON. */
  text?: string;
}

/** A typical mistake of a client. */
export interface Mistake extends MistakenRequest {
  mistake: string;
  /** Requests that must succeed before it. */
  before?: MistakenRequest[];
}

const POSITION = `pos_${'0'.repeat(22)}`;
const CHECKSUMMED = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
/** The same address with the case of one letter changed. */
const MISTYPED = '0x70997970c51812dc3A010C7d01b50e0d17dc79C8';
const FOUR_WALLETS = [1, 2, 3, 4].map((digit) => `0x${String(digit).repeat(40)}`);
const HOOK = 'https://hooks.example.com/plimsoll';

const get = (by: Sender, path: string): MistakenRequest => ({ by, method: 'GET', path });
const post = (by: Sender, path: string, body: unknown): MistakenRequest => ({
  by,
  method: 'POST',
  path,
  body,
});
const watch = (by: Sender, address: string, key?: string): MistakenRequest => ({
  ...post(by, '/v1/wallets', { address }),
  ...(key !== undefined && { headers: { 'idempotency-key': key } }),
});
const whatIf = (scenarios: unknown): MistakenRequest =>
  post('pro', '/v1/simulate/what-if', { positionId: POSITION, scenarios });
const rule = (changes: object): MistakenRequest =>
  post('enterprise', '/v1/automation/rules', {
    name: 'Keep me above 1.2',
    conditionType: 'health_factor_below',
    conditionValue: 1.2,
    positionId: POSITION,
    actionType: 'alert',
    ...changes,
  });

/** Typical mistakes of clients, each with a name that the golden file has too. */
export const MISTAKES: readonly Mistake[] = [
  { mistake: 'a text in place of a number', ...whatIf([{ asset: 'ETH', priceChangePercent: '-20' }]) },
  { mistake: 'an object in place of a list', ...whatIf({ asset: 'ETH', priceChangePercent: -20 }) },
  { mistake: 'a number in place of a text', ...post('pro', '/v1/wallets', { address: 7 }) },
  { mistake: 'null for an optional field', ...watchWith({ label: null }) },
  { mistake: 'a word in place of a numeric parameter', ...get('pro', '/v1/positions?chainId=ethereum') },
  { mistake: 'a limit above the most', ...get('pro', '/v1/wallets?limit=1000') },
  { mistake: 'a parameter twice', ...get('pro', '/v1/wallets?limit=1&limit=2') },
  { mistake: 'a missing field', ...post('pro', '/v1/wallets', {}) },
  { mistake: 'a missing field of an element', ...whatIf([{ asset: 'ETH' }]) },
  { mistake: 'a missing parameter', ...get('pro', '/v1/prices') },
  { mistake: 'a misspelled field', ...post('pro', '/v1/wallets', { adress: CHECKSUMMED }) },
  { mistake: 'an unknown field', ...watchWith({ colour: 'red' }) },
  { mistake: 'a misspelled parameter', ...get('pro', `/v1/positions?walet=${CHECKSUMMED}`) },
  { mistake: 'an unknown parameter', ...get('pro', '/v1/alerts?colour=red') },
  { mistake: 'a misspelled word', ...get('pro', '/v1/alerts?severity=critcal') },
  {
    mistake: 'a misspelled element of a list',
    ...post('pro', '/v1/webhooks', { url: HOOK, events: ['alert.resolved', 'alert.creatd'] }),
  },
  {
    mistake: 'an element twice',
    ...post('pro', '/v1/webhooks', { url: HOOK, events: ['alert.created', 'alert.created'] }),
  },
  { mistake: 'an empty list', ...post('pro', '/v1/webhooks', { url: HOOK, events: [] }) },
  { mistake: 'a number in a list of texts', ...post('pro', '/v1/prices/batch', { symbols: ['ETH', 7] }) },
  {
    mistake: 'a wrong figure in the second element',
    ...whatIf([
      { asset: 'ETH', priceChangePercent: -20 },
      { asset: 'ETH', priceChangePercent: -120 },
    ]),
  },
  { mistake: 'fields that do not fit each other', ...rule({ asset: 'ETH' }) },
  { mistake: 'a lower tier than the endpoint needs', ...get('open', '/v1/alerts') },
  { mistake: 'a lower tier than an execution needs', ...get('pro', '/v1/execution/status') },
  {
    mistake: 'more wallets than the tier permits',
    ...get('open', `/v1/positions?wallet=${FOUR_WALLETS.join()}`),
  },
  {
    mistake: 'more watched wallets than the tier permits',
    ...watch('open', FOUR_WALLETS[3]!),
    before: FOUR_WALLETS.slice(0, 3).map((address) => watch('open', address)),
  },
  { mistake: 'a key without the scope', ...watch('reader', CHECKSUMMED) },
  { mistake: 'no key', ...get('nobody', '/v1/positions') },
  {
    mistake: 'a key that does not exist',
    ...get('nobody', '/v1/positions'),
    headers: { 'x-api-key': 'psk_live_mine' },
  },
  { mistake: 'a cursor of another list', ...get('pro', '/v1/alerts?cursor=WzEsMiwzXQ') },
  { mistake: 'a cursor that no list returned', ...get('pro', '/v1/wallets?cursor=next+page') },
  { mistake: 'an idempotency key with a space', ...watch('pro', CHECKSUMMED, 'my key') },
  {
    mistake: 'an idempotency key with another body',
    ...watch('pro', FOUR_WALLETS[1]!, 'first'),
    before: [watch('pro', FOUR_WALLETS[0]!, 'first')],
  },
  {
    mistake: 'a form in place of JSON',
    by: 'pro',
    method: 'POST',
    path: '/v1/wallets',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    text: `address=${CHECKSUMMED}`,
  },
  {
    mistake: 'broken JSON',
    by: 'pro',
    method: 'POST',
    path: '/v1/wallets',
    text: `{"address": "${CHECKSUMMED}",}`,
  },
  { mistake: 'a list in place of a body', ...post('pro', '/v1/wallets', [{ address: CHECKSUMMED }]) },
  { mistake: 'the webhook of another account', ...get('pro', '/v1/webhooks/{webhook}/deliveries') },
  { mistake: 'the wallet of another account', by: 'pro', method: 'DELETE', path: '/v1/wallets/{wallet}' },
  { mistake: 'a number in place of an id', ...get('pro', '/v1/deliveries/42') },
  { mistake: 'an address with a wrong checksum', ...watch('pro', MISTYPED) },
  { mistake: 'a parameter with a wrong checksum', ...get('pro', `/v1/alerts?wallet=${MISTYPED}`) },
  { mistake: 'an address that is too short', ...watch('pro', CHECKSUMMED.slice(0, -1)) },
  { mistake: 'a word in place of a time', ...get('pro', '/v1/alerts?since=yesterday') },
  { mistake: 'a month that does not exist', ...get('pro', '/v1/events?since=2026-13-01') },
  {
    mistake: 'an end before now',
    ...post('session', '/account/v1/keys', { name: 'mine', expiresAt: '2020-01-01T00:00:00Z' }),
  },
  { mistake: 'a webhook to a private address', ...hook('https://10.0.0.1/hook') },
  { mistake: 'a webhook without HTTPS', ...hook('http://93.184.216.34/hook') },
  { mistake: 'another method', by: 'pro', method: 'PUT', path: '/v1/wallets', body: {} },
  { mistake: 'a path that does not exist', ...get('pro', '/v1/wallet') },
];

function watchWith(fields: object): MistakenRequest {
  return post('pro', '/v1/wallets', { address: CHECKSUMMED, ...fields });
}

function hook(url: string): MistakenRequest {
  return post('pro', '/v1/webhooks', { url, events: ['alert.created'] });
}
