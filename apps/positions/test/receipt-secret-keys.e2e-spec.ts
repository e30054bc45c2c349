import { randomBytes } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PositionDetail, PositionList } from '@plimsoll/contracts';
import { SEED_PLANS } from '@plimsoll/devnet';
import { findFreePort } from '@plimsoll/local-parts';
import { type ReceiptKey, verifyReceipt } from '@plimsoll/sdk/verify';
import { type ServiceProcess, startProcess, waitFor } from '@plimsoll/testing';
import { runReceiptKeys } from '../src/admin/receipt-keys';
import { type ChainFixture, startChain } from './chain-fixture';
import { ServiceFixture, identityOf } from './service-fixture';

jest.setTimeout(60_000);

const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [first, second] = [key('first'), key('second')];
/** Longer than a process keeps the receipt key that it has read. */
const OVERLAP_S = 8;
const CHANGED = 'changed secret keys are in use';

describe('RECEIPT_SECRET_KEYS_FILE, changed while receipts are made', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'receipt-keys-'));
  const file = path.join(folder, 'keys');
  const over = new AbortController();
  const failed: unknown[] = [];
  const signedBy: string[] = [];
  let chain: ChainFixture;
  let fixture: ServiceFixture;
  let service: ServiceProcess;
  let origin: string;
  let load: Promise<void>;

  function write(text: string): void {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  }
  const logged = (text: string): number => service.logs().split(text).length - 1;
  async function after(text: string, work: () => void): Promise<void> {
    const before = logged(text);
    work();
    await waitFor(() => logged(text) > before, { message: `a line in the log: ${text}` });
  }
  /** Every request is of an account of its own, because receipts have a rate for each. */
  async function get<T>(target: string): Promise<{ status: number; body: T }> {
    const as = identityOf('enterprise');
    const headers = fixture.headers('GET', target, as);
    const response = await fetch(origin + target, { headers, signal: AbortSignal.timeout(20_000) });
    return { status: response.status, body: (await response.json()) as T };
  }
  const published = async (): Promise<ReceiptKey[]> =>
    ((await (await fetch(`${origin}/.well-known/plimsoll-keys.json`)).json()) as { keys: ReceiptKey[] }).keys;
  async function rotateReceiptKeys(overlapSeconds: number): Promise<string> {
    const { DATABASE_URL } = fixture.config;
    const variables = { DATABASE_URL, RECEIPT_SECRET_KEYS: `${second},${first}`, SECRET_KEYS_KMS: '' };
    const words = `receipt-keys rotate --after-seconds 0 --overlap-seconds ${overlapSeconds}`;
    const code = await runReceiptKeys(words.split(' '), {
      config: () => variables,
      rotation: () => variables,
      out: () => undefined,
      err: () => undefined,
    });
    expect(code).toBe(0);
    return (await published()).at(-1)!.id;
  }
  const more = async (): Promise<void> => {
    const goal = signedBy.length + 20;
    await waitFor(() => signedBy.length >= goal, { timeoutMs: 30_000, message: '20 more receipts' });
  };

  beforeAll(async () => {
    chain = await startChain(1, SEED_PLANS.slice(0, 1));
    fixture = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    write(first);
    const port = await findFreePort();
    origin = `http://127.0.0.1:${port}`;
    const { RPC_URL: _, RECEIPT_SECRET_KEYS: __, ...settings } = fixture.config;
    service = await startProcess('positions', {
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
      [`RPC_URL_${chain.endpoint.chainId}`]: chain.endpoint.rpcUrl,
      RECEIPT_SECRET_KEYS_FILE: file,
      LOG_LEVEL: 'info',
      PORT: String(port),
    });
    const wallet = chain.wallets[0]!.address;
    const id = await waitFor(
      async () => (await get<PositionList>(`/v1/positions?wallet=${wallet}`)).body.positions[0]?.id,
      { message: 'the position is read' },
    );
    load = (async () => {
      while (!over.signal.aborted) {
        const { status, body } = await get<PositionDetail>(`/v1/positions/${id}?receipt=true`);
        const { receipt } = body;
        const verdict =
          receipt && (await verifyReceipt(JSON.stringify(receipt), { keys: await published() }));
        if (status !== 200 || verdict?.code !== null) failed.push({ status, body, verdict });
        signedBy.push(receipt?.signature.keyId ?? 'none');
      }
    })().catch((error: unknown) => void failed.push(error));
    await more();
  }, 120_000);
  afterAll(async () => {
    over.abort();
    await load;
    await service?.end('SIGTERM');
    await fixture?.close();
    await chain?.close();
    rmSync(folder, { recursive: true });
  });

  it('encrypts the next receipt key with the new one, and needs the former one until its receipt key ends', async () => {
    await after(CHANGED, () => write(`${first},${second}`));
    await after(CHANGED, () => write(`${second},${first}`));
    const next = await rotateReceiptKeys(3_600);
    await waitFor(() => signedBy.at(-1) === next, { timeoutMs: 20_000, message: 'the next key signs' });
    const { rows } = await fixture.pool.query<{ id: string }>(
      'SELECT sealed_with AS id FROM receipt_keys WHERE id = $1',
      [next],
    );
    expect(rows).toEqual([{ id: 'second' }]);
    await after('RECEIPT_SECRET_KEYS lacks keys that stored secrets are sealed with: first', () =>
      write(second),
    );
    await more();
    // Both receipt keys end, and a third one is sealed with the second secret key.
    const last = await rotateReceiptKeys(OVERLAP_S);
    await waitFor(() => logged(CHANGED) === 3, {
      timeoutMs: 30_000,
      message: 'the file without the first key is accepted',
    });
    expect(signedBy.at(-1)).toBe(last);
  });

  it('keeps its keys for a damaged file, and names the variable', async () => {
    await after('RECEIPT_SECRET_KEYS must be <id>:<base64 of 32 bytes>', () => write('second:damaged'));
    await more();
  });

  it('has failed no receipt', async () => {
    over.abort();
    await load;
    expect(failed).toEqual([]);
    expect(signedBy).not.toContain('none');
  });
});
