import { assetListing, setPrice } from '@plimsoll/devnet';
import { verifyReceipt } from '@plimsoll/sdk/verify';
import { type OwnPart, startOwnEvm } from '@plimsoll/testing';
import { type ChainFixture, callNode, startChain } from '../../apps/positions/test/chain-fixture';
import { type AnchorCase, anchorCases } from './anchor-cases';
import { forecastCases } from './made-forecasts';
import { type LogCase, logCases } from './log-cases';
import { FAMILIES, type MadeReceipt, Signer, chainReceipts, recordedReceipts } from './made-receipts';
import { crossingCases, crossingOf, firstReading } from './made-crossings';
import { RecordedNode } from './recorded-node';
import { type ReceiptCase, damagedTexts, tamperings, textOf } from './tamperings';

const CHAIN_ID = 31_337;
const DAMAGED = 60;
const SHOCKED_USD = (0.8 * Number(assetListing('WETH').priceUsd)) / 1e8;
const LOGGED = 20;
const PRUNED_BLOCKS = 5;

/** Receipts of a local chain and of recorded genuine contracts, whole and tampered with, with their nodes. */
export class ReceiptScene {
  private constructor(
    readonly chain: ChainFixture,
    private readonly node: RecordedNode,
    private readonly pruned: OwnPart,
    readonly receipts: readonly MadeReceipt[],
    readonly cases: readonly ReceiptCase[],
    readonly logCases: readonly LogCase[],
    readonly anchorCases: readonly AnchorCase[],
  ) {}

  static async start(): Promise<ReceiptScene> {
    const chain = await startChain(CHAIN_ID);
    const node = await RecordedNode.start();
    const signer = new Signer();
    const receipts = [...(await chainReceipts(signer, chain)), ...(await recordedReceipts(signer, node.url))];
    const samples = ['chain', ...FAMILIES].map((source) =>
      receipts.find((each) => each.name.split(/[ /]/)[0] === source && hasBothSides(each))!,
    );
    const cases = [
      ...receipts.map(({ name, receipt, rpcUrl }): ReceiptCase => {
        const isEqual = receipt.content.formula !== null;
        return { name, text: textOf(receipt), keys: [signer.key], rpcUrl, code: null, isEqual };
      }),
      ...samples.flatMap((each) => tamperings(each, signer)),
    ];
    await setPrice(chain.node.url, chain.addresses, 'WETH', SHOCKED_USD);
    const later = await chainReceipts(signer, chain);
    const pairs = receipts.flatMap((before) => {
      const after = later.find(({ name }) => name === before.name);
      return after ? [crossingOf(before, after)] : [];
    });
    const fallen = pairs.filter(({ content }) => content.before?.level !== content.after.level);
    const [sample, ...others] = fallen.map((each) => crossingCases(each, signer));
    cases.push(...sample!, ...others.flatMap(([whole]) => whole!));
    cases.push(...samples.flatMap((each) => crossingCases(firstReading(each), signer)));
    cases.push(...forecastCases(signer));
    for (const [index, text] of samples
      .flatMap((each, seed) => damagedTexts(each, seed, DAMAGED))
      .entries()) {
      const keys = [signer.key];
      const { code } = await verifyReceipt(text, { keys });
      cases.push({ name: `damaged ${index}`, text, keys, rpcUrl: null, code, isEqual: false });
    }
    const pruned = await prunedCopy(chain);
    const [whole] = cases as [ReceiptCase];
    cases.push({
      ...whole,
      name: 'a node without the state of the block',
      rpcUrl: pruned.url,
      code: 'state_unavailable',
      isEqual: false,
    });
    const logged = receipts.slice(0, LOGGED).map(({ receipt }) => receipt);
    const ofLog = logCases(logged, signer, new Signer('receipts-test-stranger'));
    const ofAnchors = await anchorCases(signer, chain);
    return new ReceiptScene(chain, node, pruned, receipts, cases, ofLog, ofAnchors);
  }

  async close(): Promise<void> {
    await this.chain.close();
    await this.node.close();
    await this.pruned.dispose();
  }
}

/** A node with the blocks of a chain, and the state of the newest blocks only. */
async function prunedCopy(chain: ChainFixture): Promise<OwnPart> {
  const node = await startOwnEvm({ chainId: CHAIN_ID, readableBlocks: 1 });
  await callNode(node.url, 'anvil_loadState', [await chain.rpc('anvil_dumpState', [])]);
  for (let block = 0; block < PRUNED_BLOCKS; block += 1) await callNode(node.url, 'evm_mine', []);
  return node;
}

function hasBothSides({ receipt: { content } }: MadeReceipt): boolean {
  return content.formula !== null && new Set(content.inputs.map(({ side }) => side)).size === 2;
}
