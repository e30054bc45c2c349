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
import { openAaveV2Book } from './aave-v2-book';
import { openAaveV36Book } from './aave-v3-6-scene';
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
/** Further genuine contracts that tests deploy. The other families have no code in an installed package, only recordings. */
const BOOKS = {
  'the core pool of Venus': { family: 'venus-core', open: openCoreBook, least: LEAST_POSITIONS },
  'Aave v2': { family: 'aave-v2', open: openAaveV2Book, least: 20 },
  'Aave 3.6': { family: 'aave-v3', open: openAaveV36Book, least: 4 },
};

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

/** Receipts that a second process verified, by its kind and by family. */
const verified = new Map<string, Map<string, number>>();

function count(kind: string, receipts: readonly MadeReceipt[]): void {
  const counts = verified.get(kind) ?? new Map<string, number>();
  verified.set(kind, counts);
  for (const { receipt } of receipts) {
    const { family } = receipt.content.position;
    counts.set(family, (counts.get(family) ?? 0) + 1);
  }
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
  afterAll(async () => {
    await folder?.remove();
    for (const [kind, counts] of verified) {
      const families = [...counts].map(([family, number]) => `${family} ${number}`);
      const all = [...counts.values()].reduce((sum, number) => sum + number, 0);
      process.stdout.write(`${kind}: ${all} positions equal to the wei (${families.join(', ')})\n`);
    }
  });

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
      count('second EVM', receipts);
    }, 300_000);
  });

  describe.each(Object.entries(BOOKS))('with the saved state of %s', (name, { family, open, least }) => {
    let receipts: MadeReceipt[];
    let second: OwnPart;

    beforeAll(async () => {
      const own = path.join(folder.path, `${name}.json`);
      const options = { codeSizeLimitBytes: CODE_SIZE_LIMIT_BYTES, statePath: own };
      const chain = await startLocalChain(options);
      receipts = await bookReceipts(signer, chain, await open(chain));
      await chain.node.stop();
      await chain.node.dispose();
      second = await startOwnEvm({ chainId: 1, ...options });
    }, 300_000);
    afterAll(() => second?.dispose());

    it('gives every figure to the wei', async () => {
      expect(receipts.length).toBeGreaterThanOrEqual(least);
      expect(familiesOf(receipts)).toEqual([family]);
      expect(await unequal(receipts, signer, () => second.url)).toEqual([]);
      count('second EVM', receipts);
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
      count('replay of recordings', computed);
    }, 300_000);
  });
});
