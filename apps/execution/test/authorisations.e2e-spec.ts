import {
  type Authorisation,
  type AuthorisationList,
  type AutomationV1,
  type CreatedAuthorisation,
  type ExecutionAnswer,
  type ExecutionStatusAnswer,
  type ProblemBody,
  type RevokedAuthorisation,
  checksumAddress,
  newId,
} from '@plimsoll/contracts';
import type { SeededWallet } from '@plimsoll/devnet';
import { outgoing } from '@plimsoll/event-bus';
import { type EventPublisher, type TestFolder, waitFor } from '@plimsoll/testing';
import { privateKeyToAccount } from 'viem/accounts';
import { ExecutionCleaner } from '../src/executions/execution-cleaner';
import { authorisationText, plainAuthorisationText } from '../src/submission/wallet-signature';
import { ExecutionHarness } from './execution-harness';
import { KEEPER, keeperSettings } from './keeper';
import { type LocalMarket, ethPlan, startMarket } from './local-market';
import { writePolicy } from './write-policy';

const PATH = '/v1/execution/authorisations';
const DAY_MS = 86_400_000;
const LABELS = ['granted', 'replayed', 'expires', 'plain', 'rule', 'previous', 'page', 'foreign'];
let market: LocalMarket;
let folder: TestFolder;
let service: ExecutionHarness;
let publisher: EventPublisher;

beforeAll(async () => {
  market = await startMarket(
    LABELS.map((label) => ethPlan(label, 1.1)),
    { keeper: KEEPER.address },
  );
  const keeper = await keeperSettings();
  folder = keeper.folder;
  service = await ExecutionHarness.start(market, { ...keeper.settings, FOLLOW_POLL_MS: 50 });
  publisher = await service.startPublisher();
}, 120_000);

afterAll(async () => {
  await service?.close();
  await market?.close();
  await folder?.remove();
});

const walletOf = (label: string): SeededWallet => market.wallets.find(({ plan }) => plan.label === label)!;
const nonce = (): string => newId('aut').slice(4);
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** The body with the signature of the wallet, or of another one. */
async function signed(
  { address, privateKey }: SeededWallet,
  {
    expiresAt = inDays(30),
    by = privateKey,
    ...over
  }: { expiresAt?: string; by?: `0x${string}`; nonce?: string } = {},
) {
  const terms = { expiresAt: new Date(expiresAt), nonce: over.nonce ?? nonce() };
  const message = authorisationText(service.accountId, { chainId: 1, wallet: address }, terms);
  const signature = await privateKeyToAccount(by).signMessage({ message });
  return { chainId: 1, wallet: address, expiresAt, nonce: terms.nonce, signature };
}
const create = (body: object) => service.call<CreatedAuthorisation>('POST', PATH, body);
const granted = async (wallet: SeededWallet, over = {}): Promise<Authorisation> => {
  const { status, body } = await create(await signed(wallet, over));
  expect([status, body.detail]).toEqual([201, undefined]);
  return body.authorisation;
};
const revoke = (id: string, accountId?: string) =>
  service.request<RevokedAuthorisation>('DELETE', `${PATH}/${id}`, accountId ? { accountId } : {});
const list = async (query = '') => (await service.call<AuthorisationList>('GET', `${PATH}${query}`)).body;
const outcome = ({ status, body }: { status: number; body: ProblemBody }) => [
  status,
  body.errors?.[0]?.code ?? body.code,
];
const submit = (wallet: SeededWallet, over: object = {}) =>
  service.call<ExecutionAnswer>('POST', '/v1/execution/deleverage', {
    positionId: market.venueOf(wallet.address).id,
    targetHealthFactor: 2,
    mode: 'submit',
    strategy: 'flash_loan_unwind',
    maxSlippageBps: 60,
    dryRun: true,
    ...over,
  });
const NOT_AUTHORISED = [409, 'not_authorised'];

describe('an authorisation by a wallet', () => {
  it('lets the account run executions until it is revoked', async () => {
    const wallet = walletOf('granted');
    await writePolicy(market, wallet, ['flash_loan_unwind']);
    expect(outcome(await submit(wallet))).toEqual(NOT_AUTHORISED);
    const authorisation = await granted(wallet);
    expect(authorisation).toMatchObject({
      chainId: 1,
      wallet: checksumAddress(wallet.address),
      status: 'active',
    });
    expect((await list()).authorisations).toContainEqual(authorisation);
    expect((await submit(wallet)).status).toBe(202);
    expect((await revoke(authorisation.id)).body).toEqual({ success: true, deleted: authorisation.id });
    expect(outcome(await submit(wallet))).toEqual(NOT_AUTHORISED);
    expect((await list()).authorisations).not.toContainEqual(authorisation);
    expect(outcome(await revoke(authorisation.id))).toEqual([404, 'not_found']);
    const rows = await service.query<{ action: string }>(
      `SELECT action FROM audit WHERE action LIKE 'authorisation.%' ORDER BY id`,
    );
    expect(rows.map(({ action }) => action)).toEqual(['authorisation.created', 'authorisation.revoked']);
  });

  it('uses a nonce once: while it is valid, after its replacement, and after its revocation', async () => {
    const wallet = walletOf('replayed');
    const first = await signed(wallet);
    const { body } = await create(first);
    expect(outcome(await create(first))).toEqual([409, 'conflict']);
    const second = await granted(wallet);
    expect(outcome(await create(first))).toEqual([409, 'conflict']);
    expect(outcome(await revoke(body.authorisation.id))).toEqual([404, 'not_found']);
    await revoke(second.id);
    expect(outcome(await create(first))).toEqual([409, 'conflict']);
    expect(outcome(await create({ ...first, expiresAt: inDays(60) }))).toEqual(NOT_AUTHORISED);
  });

  it('of two simultaneous requests with a nonce, one succeeds', async () => {
    const body = await signed(walletOf('replayed'));
    const statuses = (await Promise.all([create(body), create(body)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409]);
  });

  it('ends at its time', async () => {
    const wallet = walletOf('expires');
    await writePolicy(market, wallet, ['flash_loan_unwind']);
    const endsAtMs = Date.now() + 2_000;
    const { id } = await granted(wallet, { expiresAt: new Date(endsAtMs).toISOString() });
    await waitFor(() => Date.now() > endsAtMs, { message: 'the end' });
    expect(outcome(await submit(wallet))).toEqual(NOT_AUTHORISED);
    expect((await list()).authorisations.find((each) => each.id === id)?.status).toBe('expired');
  });

  it('an execution that was accepted before fails when it is revoked before the run is signed', async () => {
    const wallet = walletOf('rule');
    await writePolicy(market, wallet, ['flash_loan_unwind']);
    const { id } = await granted(wallet);
    const { prices } = service.upstream;
    const weth = prices.get('ETH')!;
    prices.set('ETH', { ...weth, usd: weth.usd * 1.1 });
    const { id: positionId, ...place } = market.venueOf(wallet.address);
    const rule: AutomationV1 = {
      executionId: newId('exec'),
      accountId: service.accountId,
      ruleId: newId('rule'),
      position: { id: positionId, ...place },
      targetHealthFactor: 2,
      strategy: 'flash_loan_unwind',
      maxSlippageBps: 60,
      dryRun: false,
      triggeredAt: new Date().toISOString(),
      deadline: new Date(Date.now() + 600_000).toISOString(),
    };
    await publisher.publish(outgoing('automation.v1', rule));
    const isDeferred = `SELECT FROM executions WHERE id = $1 AND due_at > created_at + interval '500 ms'`;
    await waitFor(async () => (await service.query(isDeferred, [rule.executionId])).length === 1, {
      message: 'the execution waits for prices',
    });
    await revoke(id);
    prices.set('ETH', weth);
    const execution = await waitFor(
      async () => {
        const path = `/v1/execution/status?id=${rule.executionId}`;
        const found = (await service.call<ExecutionStatusAnswer>('GET', path)).body.execution;
        return found?.status === 'failed' && found;
      },
      { message: 'the execution fails' },
    );
    expect(execution).toMatchObject({ failure: { code: 'not_authorised' }, transactionHash: null });
  });

  it('walletSignature authorises for 30 days, once', async () => {
    const wallet = walletOf('plain');
    await writePolicy(market, wallet, ['flash_loan_unwind']);
    const message = plainAuthorisationText(service.accountId, { chainId: 1, wallet: wallet.address });
    const walletSignature = await privateKeyToAccount(wallet.privateKey).signMessage({ message });
    expect((await submit(wallet, { walletSignature })).status).toBe(202);
    const address = checksumAddress(wallet.address);
    const authorisation = (await list()).authorisations.find((each) => each.wallet === address)!;
    expect(authorisation.nonce).toBeNull();
    const days = (Date.parse(authorisation.expiresAt) - Date.now()) / DAY_MS;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
    await revoke(authorisation.id);
    expect(outcome(await submit(wallet, { walletSignature }))).toEqual(NOT_AUTHORISED);
  });

  it('of the previous release ends after 30 days, and its signature works no second time', async () => {
    const wallet = walletOf('previous');
    await service.query(
      `INSERT INTO authorisations (account_id, chain_id, wallet, signature, at)
       VALUES ($1, 1, $2, '0x00', now()) ON CONFLICT DO NOTHING`,
      [service.accountId, wallet.address.toLowerCase()],
    );
    const address = checksumAddress(wallet.address);
    const stored = (await list()).authorisations.find((each) => each.wallet === address)!;
    expect(Math.round((Date.parse(stored.expiresAt) - Date.now()) / DAY_MS)).toBe(30);
    await granted(wallet);
    const [{ count }] = (await service.query<{ count: string }>(
      `SELECT count(*) FROM authorisation_nonces WHERE wallet = $1 AND nonce = ''`,
      [wallet.address.toLowerCase()],
    )) as [{ count: string }];
    expect(count).toBe('1');
  });

  it.each([
    ['another wallet’s signature', { by: 'foreign' }, NOT_AUTHORISED],
    ['an end in the past', { expiresAt: inDays(-1) }, [400, 'out_of_range']],
    ['an end after a year', { expiresAt: inDays(366) }, [400, 'out_of_range']],
  ])('rejects %s', async (_, { by, ...over }: { by?: string; expiresAt?: string }, expected) => {
    const other = by === undefined ? {} : { by: walletOf(by).privateKey };
    expect(outcome(await create(await signed(walletOf('page'), { ...over, ...other })))).toEqual(expected);
  });

  it('rejects a chain without executions, a short nonce, and an account that is not the owner', async () => {
    const body = await signed(walletOf('page'));
    expect(outcome(await create({ ...body, chainId: 10 }))).toEqual([400, 'not_available']);
    expect((await create({ ...body, nonce: 'short' })).status).toBe(400);
    const { id } = await granted(walletOf('page'));
    expect(outcome(await revoke(id, newId('acc')))).toEqual([404, 'not_found']);
  });

  it('is listed in pages, newest first', async () => {
    const all = (await list()).authorisations.map(({ id }) => id);
    const first = await list('?limit=1');
    const second = await list(`?limit=200&cursor=${first.nextCursor}`);
    expect([...first.authorisations, ...second.authorisations].map(({ id }) => id)).toEqual(all);
    expect(second.nextCursor).toBeNull();
  });

  it('deletes nonces whose text has expired', async () => {
    await service.query(
      `UPDATE authorisation_nonces SET expires_at = now() - interval '2 hours' WHERE nonce <> ''`,
    );
    await service.part(ExecutionCleaner).round();
    const rows = await service.query<{ nonce: string }>(`SELECT DISTINCT nonce FROM authorisation_nonces`);
    expect(rows).toEqual([{ nonce: '' }]);
  });
});
