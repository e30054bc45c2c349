import { newId } from '@plimsoll/contracts';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Attack, equal } from '../attack';
import { type Sent, send } from '../client';
import { until } from '../until';

const PATH = '/v1/execution/authorisations';
const CHAIN_ID = 1;
const SHORT_MS = 4_000;
const WALLET = privateKeyToAccount(generatePrivateKey());
const ATTACKER = privateKeyToAccount(generatePrivateKey());

async function body(accountId: string, expiresAtMs: number, by = WALLET) {
  const [expiresAt, nonce] = [new Date(expiresAtMs).toISOString(), newId('aut').slice(4)];
  const message = `Plimsoll: ${accountId} may run executions for ${WALLET.address} on chain ${CHAIN_ID} until ${expiresAt}. Nonce: ${nonce}.`;
  const signature = await by.signMessage({ message });
  return { chainId: CHAIN_ID, wallet: WALLET.address, expiresAt, nonce, signature };
}

export const authorisations: Attack = {
  item: '12',
  title: 'the signature of a wallet ends, works once, and can be revoked',
  limitSeconds: 60,
  async run({ origin, account }) {
    const [owner, stranger] = [await account('enterprise'), await account('enterprise')];
    const post = (sent: object, { key } = owner): Promise<Sent> =>
      send(origin, 'POST', PATH, { key, body: sent });
    const remove = (id: string, { key } = owner): Promise<Sent> =>
      send(origin, 'DELETE', `${PATH}/${id}`, { key });
    const inAnHour = Date.now() + 3_600_000;
    const first = await body(owner.accountId, inAnHour);
    const created = await post(first);
    const { id } = (created.body['authorisation'] ?? {}) as { id?: string };
    const simultaneous = await body(owner.accountId, inAnHour);
    const both = await Promise.all([post(simultaneous), post(simultaneous)]);
    const short = await body(owner.accountId, Date.now() + SHORT_MS);
    const { status: shortStatus } = await post(short);
    const list = async () => {
      const { body: found } = await send(origin, 'GET', PATH, { key: owner.key });
      return found['authorisations'] as { id: string; status: string }[];
    };
    const statusesOf = async () => (await list()).map(({ status }) => status);
    const statuses = await until('an expired authorisation', async () => {
      const found = await statusesOf();
      return found.includes('expired') ? found : undefined;
    }).catch(statusesOf);
    const current = (await list())[0]!.id;
    const bodyOf = (over: object) => post({ ...first, ...over });
    return [
      equal('an authorisation is stored', created.status, 201),
      equal('its nonce works once', (await post(first)).status, 409),
      equal('two simultaneous requests store one', both.map(({ status }) => status).sort(), [201, 409]),
      equal(
        'the signature of another wallet is refused',
        (await post(await body(owner.accountId, inAnHour, ATTACKER))).status,
        409,
      ),
      equal(
        'the signature for another account is refused',
        (await post(await body(owner.accountId, inAnHour), stranger)).status,
        409,
      ),
      equal(
        'another end is refused',
        (await bodyOf({ expiresAt: new Date(inAnHour + 1).toISOString() })).status,
        409,
      ),
      equal('another chain is refused', [400, 409].includes((await bodyOf({ chainId: 8_453 })).status), true),
      equal(
        'an end in the past is rejected',
        (await bodyOf({ expiresAt: '2020-01-01T00:00:00Z' })).status,
        400,
      ),
      equal('an authorisation expires', [shortStatus, statuses], [201, ['expired']]),
      equal('a stranger revokes nothing', (await remove(current, stranger)).status, 404),
      equal('a replaced one is gone', (await remove(id ?? '')).status, 404),
      equal('the owner revokes', (await remove(current)).status, 200),
      equal('a revoked one stays revoked', (await post(short)).status, 400),
      equal('its earlier signature stays used', (await post(first)).status, 409),
    ];
  },
};
