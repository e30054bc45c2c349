import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { newId } from '@plimsoll/contracts';
import { startReceiver } from '@plimsoll/testing';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Attack, type Check, equal } from '../attack';
import { Browser } from '../browser';
import { type Sent, send } from '../client';
import { type FuzzedOperation, documentedOperations } from '../fuzz/operations';
import { watchedPosition } from '../positions';
import type { Target, TestAccount } from '../target';
import { until } from '../until';

const ROOT = path.join(__dirname, '../../..');
/** The same for every account: facts of a chain. */
const PUBLIC =
  /^\/v1\/(?:(?:protocols|chains|names|markets\/rates|whales\/clusters|positions)\/|wallets\/[^/]+\/balances$)/;
/** Its parameter names a protocol, and its record is always the caller's. */
const OWN_SETTING = /^\/v1\/alerts\/protocols\//;

/** The owner's records, by the start of the path that names one. */
type OwnerRecords = Record<string, string>;

/** A stranger uses every documented operation with the records of an owner. */
export const otherAccounts: Attack = {
  item: 'accounts',
  title: 'a stranger reads and changes nothing of another account',
  limitSeconds: 120,
  async run(target) {
    const receiver = await startReceiver();
    try {
      const owner = await target.account('enterprise');
      const browser = await Browser.signedIn(target);
      const records = await recordsOf(target, owner, browser, `${receiver.url}/hook`);
      const stranger: Callers = {
        key: (await target.account('enterprise')).key,
        browser: await Browser.signedIn(target),
      };
      const operations = documentedOperations(ROOT).filter(
        ({ path: route, access }) => access !== 'none' && !PUBLIC.test(route) && !OWN_SETTING.test(route),
      );
      const owned = () => idsOf(target, { key: owner.key, browser }, operations, records);
      const before = await owned();
      const named = operations.filter((operation) => operation.path.includes('{'));
      const checks: Check[] = [];
      for (const operation of named) checks.push(await sameAsUnknown(target, stranger, operation, records));
      for (const operation of operations.filter(isList))
        checks.push(await withoutRecords(target, stranger, operation, records));
      const incident = await sendAs(target, stranger, 'POST', '/v1/ai/postmortem', {
        incidentId: records['/v1/incidents/'],
      });
      checks.push(equal('POST /v1/ai/postmortem about the incident of an owner', incident.status, 404));
      const after = new Set(await owned());
      const lost = before.filter((id) => !after.has(id));
      return [...checks, equal('the owner has every record as before', lost, [])];
    } finally {
      await receiver.close();
    }
  },
};

interface Callers {
  key: string;
  browser: Browser;
}

const isList = ({ method, path: route }: FuzzedOperation): boolean =>
  method === 'GET' && !route.includes('{') && !route.endsWith('/usage') && !route.endsWith('/status');

/** Creates a record of each kind that an account owns. */
async function recordsOf(
  target: Target,
  { key, accountId }: TestAccount,
  browser: Browser,
  url: string,
): Promise<OwnerRecords> {
  const post = async (route: string, field: string, body: object): Promise<string> => {
    const sent = await send(target.origin, 'POST', route, { key, body });
    const id = (sent.body[field] as { id?: string } | undefined)?.id;
    if (id === undefined) throw new Error(`POST ${route} responded with ${sent.status}: ${sent.text}`);
    return id;
  };
  const first = (route: string, field: string, caller: () => Promise<Sent>): Promise<string> =>
    until(`an item of ${route}`, async () => {
      const [item] = ((await caller()).body[field] ?? []) as { id: string }[];
      return item?.id;
    });
  const listed = (route: string, field: string) =>
    first(route, field, () => send(target.origin, 'GET', route, { key }));
  const positionId = await watchedPosition(target, key);
  const webhookId = await post('/v1/webhooks', 'webhook', { url, events: ['alert.created'] });
  await send(target.origin, 'POST', `/v1/webhooks/${webhookId}/test`, { key, body: { event: 'test.ping' } });
  const ruleId = await post('/v1/automation/rules', 'rule', {
    conditionType: 'health_factor_below',
    conditionValue: 100,
    positionId,
    name: 'accounts',
    actionType: 'alert',
  });
  const wallet = privateKeyToAccount(generatePrivateKey());
  const [chainId, expiresAt, nonce] = [
    1,
    new Date(Date.now() + 3_600_000).toISOString(),
    newId('aut').slice(4),
  ];
  const message = `Plimsoll: ${accountId} may run executions for ${wallet.address} on chain ${chainId} until ${expiresAt}. Nonce: ${nonce}.`;
  const authorisationId = await post('/v1/execution/authorisations', 'authorisation', {
    chainId,
    wallet: wallet.address,
    expiresAt,
    nonce,
    signature: await wallet.signMessage({ message }),
  });
  const withReceipt = await send(target.origin, 'GET', `/v1/positions/${positionId}?receipt=true`, { key });
  const { hash: receiptHash } = (withReceipt.body['receipt'] ?? {}) as { hash?: string };
  if (receiptHash === undefined) throw new Error(`no receipt: ${withReceipt.text}`);
  const walletGroupId = await post('/v1/wallet-groups', 'walletGroup', { name: 'accounts' });
  const walletImportId = await post('/v1/wallets/imports', 'walletImport', {
    wallets: [{ address: target.wallets[0]! }],
  });
  await browser.send('POST', '/account/v1/keys', { name: 'accounts' });
  return {
    '/v1/receipts/': receiptHash,
    '/v1/wallets/imports/': walletImportId,
    '/v1/wallets/': target.wallets[0]!,
    '/v1/wallet-groups/': walletGroupId,
    '/v1/webhooks/': webhookId,
    '/v1/automation/rules/': ruleId,
    '/v1/execution/authorisations/': authorisationId,
    '/v1/deliveries/': await listed(`/v1/webhooks/${webhookId}/deliveries`, 'deliveries'),
    '/v1/alerts/': await listed('/v1/alerts', 'alerts'),
    '/v1/incidents/': await listed('/v1/incidents', 'incidents'),
    '/account/v1/keys/': await first('/account/v1/keys', 'keys', () =>
      browser.send('GET', '/account/v1/keys'),
    ),
    '/account/v1/sessions/': await first('/account/v1/sessions', 'sessions', () =>
      browser.send('GET', '/account/v1/sessions'),
    ),
  };
}

async function sendAs(
  { origin }: Target,
  { key, browser }: Callers,
  method: string,
  route: string,
  body?: object,
): Promise<Sent> {
  return route.startsWith('/account/')
    ? browser.send(method, route, body)
    : send(origin, method, route, { key, body });
}

/** The response about an owner's record is that of a record that does not exist: 404 with the same text. */
async function sameAsUnknown(
  target: Target,
  stranger: Callers,
  { method, path: route, bodyExample }: FuzzedOperation,
  records: OwnerRecords,
): Promise<Check> {
  const name = `${method} ${route}`;
  const start = Object.keys(records).find((each) => route.startsWith(each));
  if (start === undefined) return equal(`${name} has a record of the owner to ask for`, false, true);
  const id = records[start]!;
  const ask = (named: string) =>
    sendAs(target, stranger, method, route.replace(/\{\w+\}/, named), bodyExample ?? undefined);
  const [foreign, unknown] = [await ask(id), await ask(unknownLike(id))];
  const told = ({ status, body }: Sent) => [status, body['code'], body['detail']];
  return equal(name, [foreign.status, ...told(foreign)], [404, ...told(unknown)]);
}

const kindOf = (id: string): string => id.split('_')[0]!;

/** Returns an id or address of the same form, without a record. */
function unknownLike(id: string): string {
  if (/^[0-9a-f]{64}$/.test(id)) return randomBytes(32).toString('hex');
  if (id.startsWith('0x')) return privateKeyToAccount(generatePrivateKey()).address;
  return `${kindOf(id)}_${newId('evt').split('_')[1]}`;
}

/** A list of the stranger, narrowed to each record of the owner, has none of them. */
async function withoutRecords(
  target: Target,
  stranger: Callers,
  { path: route, queryNames }: FuzzedOperation,
  records: OwnerRecords,
): Promise<Check> {
  const narrowed: Record<string, string | undefined> = {
    ruleId: records['/v1/automation/rules/'],
    walletGroupId: records['/v1/wallet-groups/'],
    wallet: records['/v1/wallets/'],
  };
  const queries = queryNames.flatMap((each) => (narrowed[each] ? [`?${each}=${narrowed[each]}`] : []));
  const ids = Object.values(records).filter((each) => !each.startsWith('0x'));
  const found: string[] = [];
  for (const query of ['', ...queries]) {
    const { text } = await sendAs(target, stranger, 'GET', route + query);
    found.push(...ids.filter((id) => text.includes(id)));
  }
  return equal(`GET ${route}`, found, []);
}

/** Returns the ids in everything that the owner lists, of the kinds that an account owns. */
async function idsOf(
  target: Target,
  owner: Callers,
  operations: readonly FuzzedOperation[],
  records: OwnerRecords,
): Promise<string[]> {
  const kinds = new Set(Object.values(records).map(kindOf));
  const found = new Set<string>();
  for (const { path: route } of operations.filter(isList)) {
    const { text } = await sendAs(target, owner, 'GET', route);
    for (const [id] of text.matchAll(/\b[a-z]{2,4}_[0-9A-Za-z]{22}\b/g))
      if (kinds.has(kindOf(id))) found.add(id);
  }
  return [...found];
}
