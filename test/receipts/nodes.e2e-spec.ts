import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type SeededWallet,
  deployDevnet,
  registryOverlay,
  seedMorpho,
  seedPositions,
  seedVenus,
} from '@plimsoll/devnet';
import { verifyReceipt } from '@plimsoll/sdk/verify';
import { type OwnPart, type TestFolder, createTestFolder, startOwnEvm } from '@plimsoll/testing';
import { startLocalChain } from '../../libs/protocols/test/local-chain';
import { openCoreBook } from '../../libs/protocols/test/venus-books';
import {
  FAMILIES,
  type MadeReceipt,
  Signer,
  chainReceipts,
  recordedReceipts,
  bookReceipts,
} from './made-receipts';
import { RecordedNode } from './recorded-node';
import { textOf } from './tamperings';

const CHAIN_ID = 31_337;
/** Contracts of Venus are larger than Ethereum permits. */
const CODE_SIZE_LIMIT_BYTES = 60_000;
const LEAST_POSITIONS = 60;
/** The families with genuine contracts on the chain that `npm start` seeds. */
const SEEDED = ['aave-v3', 'morpho-blue', 'venus-isolated'];

/** Verifies receipts on a node, and returns those that are not equal to the wei. */
async function unequal(
  receipts: readonly MadeReceipt[],
  signer: Signer,
  nodeOf: (receipt: MadeReceipt) => string,
): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const made of receipts) {
    const outcome = await verifyReceipt(textOf(made.receipt), { keys: [signer.key], rpcUrl: nodeOf(made) });
    if (outcome.code !== null || !outcome.isRead || !outcome.isRecomputed)
      wrong.push([made.name, outcome.code, outcome.steps.at(-1)]);
  }
  return wrong;
}

const familiesOf = (receipts: readonly MadeReceipt[]): string[] => [
  ...new Set(receipts.map(({ receipt }) => receipt.content.position.family)),
];

describe('a second node process', () => {
  let folder: TestFolder;
  let statePath: string;
  const signer = new Signer();

  beforeAll(async () => {
    folder = await createTestFolder();
    statePath = path.join(folder.path, 'state.json');
  });
  afterAll(() => folder?.remove());

  describe('with the saved state of a local chain, whose own process has ended', () => {
    let wallets: SeededWallet[];
    let receipts: MadeReceipt[];
    let second: OwnPart;

    const start = () =>
      startOwnEvm({ chainId: CHAIN_ID, codeSizeLimitBytes: CODE_SIZE_LIMIT_BYTES, statePath });

    beforeAll(async () => {
      const first = await start();
      const addresses = await deployDevnet({ rpcUrl: first.url, chainId: CHAIN_ID });
      wallets = await seedPositions(first.url, addresses);
      const { morpho } = await seedMorpho(first.url, addresses);
      const { comptroller: venus } = await seedVenus(first.url, addresses);
      const overlayPath = path.join(folder.path, 'overlay.json');
      await writeFile(overlayPath, JSON.stringify(registryOverlay(addresses, { morpho, venus })));
      const endpoint = { chainId: CHAIN_ID, rpcUrl: first.url };
      const chain = { node: first, endpoint, overlayPath, wallets };
      receipts = await chainReceipts(signer, chain, SEEDED);
      await first.stop();
      await first.dispose();
      second = await start();
    }, 300_000);
    afterAll(() => second?.dispose());

    it('gives every figure of 60 positions or more to the wei', async () => {
      expect(receipts.length).toBeGreaterThanOrEqual(LEAST_POSITIONS);
      expect(familiesOf(receipts)).toEqual(SEEDED);
      expect(await unequal(receipts, signer, () => second.url)).toEqual([]);
    }, 300_000);
  });

  describe('with the saved state of the core pool of Venus', () => {
    let receipts: MadeReceipt[];
    let second: OwnPart;

    beforeAll(async () => {
      const own = path.join(folder.path, 'core-pool.json');
      const options = { codeSizeLimitBytes: CODE_SIZE_LIMIT_BYTES, statePath: own };
      const chain = await startLocalChain(options);
      receipts = await bookReceipts(signer, chain, await openCoreBook(chain));
      await chain.node.stop();
      await chain.node.dispose();
      second = await startOwnEvm({ chainId: 1, ...options });
    }, 300_000);
    afterAll(() => second?.dispose());

    it('gives every figure near a health factor of 1 to the wei', async () => {
      expect(receipts.length).toBeGreaterThanOrEqual(LEAST_POSITIONS);
      expect(familiesOf(receipts)).toEqual(['venus-core']);
      expect(await unequal(receipts, signer, () => second.url)).toEqual([]);
    }, 300_000);
  });

  describe('with recordings of genuine contracts', () => {
    let node: RecordedNode;
    let receipts: MadeReceipt[];

    beforeAll(async () => {
      node = await RecordedNode.start();
      receipts = await recordedReceipts(signer, node.url);
    }, 300_000);
    afterAll(() => node?.close());

    it('gives every figure of all families to the wei', async () => {
      expect(node.pid).not.toBe(process.pid);
      const computed = receipts.filter(({ receipt }) => receipt.content.formula !== null);
      expect(familiesOf(computed)).toEqual(FAMILIES);
      // Sub-accounts of Euler with shares that secure nothing have no formula.
      const without = receipts.filter((each) => !computed.includes(each));
      expect(familiesOf(without)).toEqual(['euler-v2']);
      expect(computed.length).toBeGreaterThanOrEqual(LEAST_POSITIONS);
      expect(await unequal(computed, signer, ({ rpcUrl }) => rpcUrl)).toEqual([]);
    }, 300_000);
  });
});
