import { createHash } from 'node:crypto';
import { seededRandom } from '@plimsoll/devnet';
import type { ReceiptContent } from '@plimsoll/receipts';
import { verifyReceipt } from '@plimsoll/sdk/verify';
import { type ChainFixture, startChain } from '../../apps/positions/test/chain-fixture';
import { addMorpho, decimalsOf } from '../../apps/positions/test/morpho-fixture';
import { recordedPositions } from '../../apps/positions/test/recorded-positions';
import { receiptContent } from '../../apps/positions/src/receipts/receipt-content';
import { AaveV36Scene } from './aave-v3-6-scene';
import { type MadeReceipt, Signer, chainReceipts, rowReceipts } from './made-receipts';
import { PROOF_TAMPERINGS, tamperingFetch } from './proof-tamperings';
import { RecordedNode } from './recorded-node';
import { otherDigit, textOf } from './tamperings';

const CHAIN_ID = 31_337;
const COMETS = 'comet/comet-30-days';
const FAMILIES = ['morpho-blue', 'aave-v3 of revision 1', 'aave-v3 of revision 10', 'comet'];

/** Proofs of storage from a node with genuine contracts, and the same proofs changed on their way. */
describe('verification with proofs', () => {
  let chain: ChainFixture;
  let aaveV36: AaveV36Scene;
  let node: RecordedNode;
  const signer = new Signer();
  const keys = [signer.key];
  const made = new Map<string, MadeReceipt[]>();

  beforeAll(async () => {
    chain = await startChain(CHAIN_ID);
    made.set('aave-v3 of revision 1', await chainReceipts(signer, chain));
    const morpho = await addMorpho(chain);
    const wallet = chain.wallets[0]!.address;
    const [market] = morpho.markets;
    await morpho.supplyCollateral(wallet, market!, decimalsOf(chain, 'WETH'));
    await morpho.borrow(wallet, market!, 1_000n * decimalsOf(chain, 'USDC'));
    const [position] = await recordedPositions(chain, wallet, 'morpho-blue');
    const { content, results } = receiptContent(position!);
    const receipt = signer.sign(content);
    made.set('morpho-blue', [{ name: 'morpho-blue', receipt, results, rpcUrl: chain.node.url }]);
    aaveV36 = await AaveV36Scene.start();
    made.set('aave-v3 of revision 10', await aaveV36.receipts(signer));
    node = await RecordedNode.start();
    const rows = [0, 1].map((row) => rowReceipts(signer, node.url, COMETS, row));
    made.set('comet', (await Promise.all(rows)).flat());
  }, 240_000);
  afterAll(async () => {
    await node?.close();
    await aaveV36?.close();
    await chain?.close();
  });

  /** A receipt with collateral and debt. */
  function sample(family: string): MadeReceipt {
    const hasBoth = ({ receipt }: MadeReceipt): boolean =>
      ['collateral', 'debt'].every((side) => receipt.content.inputs.some((input) => input.side === side));
    return made.get(family)!.find(hasBoth)!;
  }

  it.each([
    // Interest, prices and decimals are computed, or in the code. Pools of Aave 3.0 have no bitmaps.
    ['aave-v3 of revision 1', 50, ['0x8c89b64f', '0xb0771dba', '0xb3596f07']],
    // Aave 3.6 has the bitmap of an e-mode. The one of e-mode 1 is not stored for a wallet outside it.
    ['aave-v3 of revision 10', 4, ['0x8c89b64f', '0xb3596f07']],
    // A comet has its assets in its code, and computes prices, utilization and rates.
    [
      'comet',
      50,
      [
        '0x313ce567',
        '0x41976e09',
        '0x7eb71131',
        '0x9fa83b5a',
        '0xa46fe83b',
        '0xc55dae63',
        '0xc8c7fe6b',
        '0xd955759d',
        '0xe7dad6bd',
      ],
    ],
    ['morpho-blue', 1, ['0x313ce567', '0x8c00bf6b', '0xa035b1fe']],
  ])(
    'proves what the contracts of %s store of at least %d positions, and leaves out what they compute',
    async (family, count, unproven) => {
      const receipts = made.get(family)!;
      const selectors = new Set<string>();
      for (const { receipt, rpcUrl } of receipts) {
        const outcome = await verifyReceipt(textOf(receipt), { keys, rpcUrl, proof: true });
        expect(outcome.steps.filter(({ ok }) => !ok)).toEqual([]);
        expect(outcome).toMatchObject({ code: null, isRead: true, isRecomputed: true });
        for (const [place, { data }] of receipt.content.calls.entries())
          if (!outcome.proven.includes(place)) selectors.add(data.slice(0, 10));
      }
      expect([...selectors].toSorted()).toEqual(unproven);
      expect(receipts.length).toBeGreaterThanOrEqual(count);
    },
    120_000,
  );

  it.each(FAMILIES)(
    'names a result of %s that the signer and the node agree on, and the storage does not give',
    async (family) => {
      const { receipt, results, rpcUrl } = sample(family);
      const { proven } = await verifyReceipt(textOf(receipt), { keys, rpcUrl, proof: true });
      for (const place of proven) {
        const content = structuredClone(receipt.content) as {
          -readonly [K in keyof ReceiptContent]: ReceiptContent[K];
        };
        // A layout leaves out the words that a contract computes.
        const words = results[place]!.slice(2).match(/.{64}/g)!;
        const result = `0x${words.map(otherDigit).join('')}`;
        content.calls[place]!.resultHash = createHash('sha256')
          .update(Buffer.from(result.slice(2), 'hex'))
          .digest('hex');
        content.formula = null;
        const { to, data } = content.calls[place]!;
        const fetch = tamperingFetch({ call: { to, data, result } });
        const text = textOf(signer.sign(content));
        const options = { keys, rpcUrl, fetch };
        expect(await verifyReceipt(text, options)).toMatchObject({ code: null });
        const { code } = await verifyReceipt(text, { ...options, proof: true });
        expect([place, code]).toEqual([place, 'storage_differs']);
      }
    },
    120_000,
  );

  it('proves nothing of a family without a layout', async () => {
    const { receipt, rpcUrl } = sample('morpho-blue');
    const position = { ...receipt.content.position, family: 'other' };
    const text = textOf(signer.sign({ ...receipt.content, position, formula: null }));
    const outcome = await verifyReceipt(text, { keys, rpcUrl, proof: true });
    expect(outcome).toMatchObject({ code: null, proven: [] });
    expect(outcome.steps.at(-1)!.detail).toContain('no layout');
  });

  it.each(FAMILIES)(
    'names every digit of a proof of %s that changed',
    async (family) => {
      const { receipt, rpcUrl } = sample(family);
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
    },
    60_000,
  );

  describe.each(FAMILIES)('of a proof of %s', (family) => {
    it.each(PROOF_TAMPERINGS)('names %s: %s', async (_what, code, change) => {
      const { receipt, rpcUrl } = sample(family);
      const fetch = tamperingFetch(change);
      const outcome = await verifyReceipt(textOf(receipt), { keys, rpcUrl, proof: true, fetch });
      expect([outcome.code, outcome.steps.at(-1)!.name]).toEqual([code, 'proof']);
    });
  });
});
