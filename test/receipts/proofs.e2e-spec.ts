import { createHash } from 'node:crypto';
import { seededRandom } from '@plimsoll/devnet';
import type { ReceiptContent } from '@plimsoll/receipts';
import { verifyReceipt } from '@plimsoll/sdk/verify';
import { type ChainFixture, startChain } from '../../apps/positions/test/chain-fixture';
import { addMorpho, decimalsOf } from '../../apps/positions/test/morpho-fixture';
import { recordedPositions } from '../../apps/positions/test/recorded-positions';
import { receiptContent } from '../../apps/positions/src/receipts/receipt-content';
import { type MadeReceipt, Signer, chainReceipts } from './made-receipts';
import { PROOF_TAMPERINGS, tamperingFetch } from './proof-tamperings';
import { otherDigit, textOf } from './tamperings';

const CHAIN_ID = 31_337;

/** Proofs of storage from a node with genuine contracts, and the same proofs changed on their way. */
describe('verification with proofs', () => {
  let chain: ChainFixture;
  const signer = new Signer();
  const keys = [signer.key];
  const made = new Map<string, MadeReceipt>();

  beforeAll(async () => {
    chain = await startChain(CHAIN_ID);
    const morpho = await addMorpho(chain);
    const wallet = chain.wallets[0]!.address;
    const [market] = morpho.markets;
    await morpho.supplyCollateral(wallet, market!, decimalsOf(chain, 'WETH'));
    await morpho.borrow(wallet, market!, 1_000n * decimalsOf(chain, 'USDC'));
    const [position] = await recordedPositions(chain, wallet, 'morpho-blue');
    const { content, results } = receiptContent(position!);
    made.set('morpho-blue', {
      name: 'morpho-blue',
      receipt: signer.sign(content),
      results,
      rpcUrl: chain.node.url,
    });
  }, 120_000);
  afterAll(() => chain?.close());

  it('proves what Aave v3 stores of every seeded wallet', async () => {
    const receipts = await chainReceipts(signer, chain);
    made.set(
      'aave-v3',
      receipts.find(({ receipt }) => receipt.content.inputs.length > 1)!,
    );
    const selectors = new Map<string, number>();
    for (const { receipt, rpcUrl } of receipts) {
      const outcome = await verifyReceipt(textOf(receipt), { keys, rpcUrl, proof: true });
      expect(outcome.steps.filter(({ ok }) => !ok)).toEqual([]);
      expect(outcome).toMatchObject({ code: null, isRead: true, isRecomputed: true });
      for (const [place, { data }] of receipt.content.calls.entries()) {
        const selector = data.slice(0, 10);
        if (!outcome.proven.includes(place)) selectors.set(selector, (selectors.get(selector) ?? 0) + 1);
      }
    }
    // The oracle computes prices and has its unit in its code. Pools of Aave 3.0 have no bitmaps.
    expect([...selectors.keys()].sort()).toEqual(['0x8c89b64f', '0xb0771dba', '0xb3596f07']);
    expect(receipts.length).toBeGreaterThan(50);
  }, 120_000);

  it('proves calls', async () => {
    const { receipt, rpcUrl } = made.get('morpho-blue')!;
    const outcome = await verifyReceipt(textOf(receipt), { keys, rpcUrl, proof: true });
    expect(outcome).toMatchObject({ code: null, isRead: true, isRecomputed: true });
    const selectors = outcome.proven.map((place) => receipt.content.calls[place]!.data.slice(0, 10));
    expect(selectors.sort()).toEqual(['0x2c3c9157', '0x5c60e39a', '0x93c52062']);
  });

  it('names a result that the signer and the node agree on, and the storage does not give', async () => {
    const { receipt, results, rpcUrl } = made.get('morpho-blue')!;
    const content = structuredClone(receipt.content) as {
      -readonly [K in keyof ReceiptContent]: ReceiptContent[K];
    };
    const place = content.calls.findIndex(({ data }) => data.startsWith('0x93c52062'));
    const result = otherDigit(results[place]!);
    content.calls[place]!.resultHash = createHash('sha256')
      .update(Buffer.from(result.slice(2), 'hex'))
      .digest('hex');
    content.formula = null;
    const fetch = tamperingFetch({ call: (found) => (found === results[place] ? result : found) });
    const text = textOf(signer.sign(content));
    const options = { keys, rpcUrl, fetch };
    expect(await verifyReceipt(text, options)).toMatchObject({ code: null });
    expect(await verifyReceipt(text, { ...options, proof: true })).toMatchObject({ code: 'storage_differs' });
  });

  it('proves nothing of a family without a layout', async () => {
    const { receipt, rpcUrl } = made.get('morpho-blue')!;
    const position = { ...receipt.content.position, family: 'other' };
    const text = textOf(signer.sign({ ...receipt.content, position, formula: null }));
    const outcome = await verifyReceipt(text, { keys, rpcUrl, proof: true });
    expect(outcome).toMatchObject({ code: null, proven: [] });
    expect(outcome.steps.at(-1)!.detail).toContain('no layout');
  });

  it('names every digit that changed', async () => {
    const { receipt, rpcUrl } = made.get('morpho-blue')!;
    const random = seededRandom(7);
    for (let count = 0; count < 100; count++) {
      const fetch = tamperingFetch({
        proof: (proof) => {
          const strings: [Record<string, string>, string][] = [];
          const collect = (part: Record<string, unknown>): void => {
            for (const [name, value] of Object.entries(part))
              if (typeof value === 'string') strings.push([part as Record<string, string>, name]);
              else collect(value as Record<string, unknown>);
          };
          collect(proof as unknown as Record<string, unknown>);
          const [part, name] = strings[Math.floor(random() * strings.length)]!;
          const at = 2 + Math.floor(random() * (part[name]!.length - 2));
          part[name] = otherDigit(part[name]!.slice(0, at + 1)) + part[name]!.slice(at + 1);
        },
      });
      const { code } = await verifyReceipt(textOf(receipt), { keys, rpcUrl, proof: true, fetch });
      expect(code).toMatch(/^(proof_invalid|account_differs|slot_differs|value_differs)$/);
    }
  });

  it.each(PROOF_TAMPERINGS)('names %s: %s', async (_what, code, change) => {
    const { receipt, rpcUrl } = made.get('morpho-blue')!;
    const fetch = tamperingFetch(change);
    const outcome = await verifyReceipt(textOf(receipt), { keys, rpcUrl, proof: true, fetch });
    expect([outcome.code, outcome.steps.at(-1)!.name]).toEqual([code, 'proof']);
  });
});
