import { LAYOUTS, type ReadStorage, addressText, wordDigits } from '@plimsoll/protocols/math';
import type { ReceiptContent } from '@plimsoll/receipts';
import type { Hex } from 'viem';
import { fromRlp, keccak256, toRlp } from 'viem/utils';
import { differenceOf, marketOf, reader } from './figures';
import { type Header, headerHash, numberBytes } from './header';
import type { Node } from './node';
import { Difference } from './steps';
import { InvalidNodes, provenValue } from './trie';

const WORD_DIGITS = 64;
/** RLP of no bytes, which is the number 0. */
const NO_BYTES = '0x80';

/** A response to eth_getProof (EIP-1186), as far as a node follows it. */
interface AccountProof {
  address: Hex;
  accountProof: readonly Hex[];
  balance: Hex;
  codeHash: Hex;
  nonce: Hex;
  storageHash: Hex;
  storageProof: readonly Partial<{ key: Hex; value: Hex; proof: readonly Hex[] }>[];
}

/**
 * The calls whose results follow from the storage of their contracts, by proofs up to the hash of the block. Null: no
 * layout of the family is known.
 * @returns the places of the calls in the receipt
 * @throws Difference
 */
export async function proveCalls(
  node: Node,
  header: Header,
  content: ReceiptContent,
  results: readonly (string | null)[],
): Promise<number[] | null> {
  const { family } = content.position;
  const layout = Object.hasOwn(LAYOUTS, family) ? LAYOUTS[family] : undefined;
  if (!layout) return null;
  const own = orDifference('header_differs', 'the block', () => headerHash(header));
  if (own !== content.block.hash)
    throw new Difference('header_differs', `the fields of the block have the hash ${own}`);
  const storage = new ProvenStorage(node, content.block, header.stateRoot);
  const stored = await layout(marketOf(content), storage, reader(content, results)).catch(
    (error: unknown) => {
      throw differenceOf(error);
    },
  );
  const places = new Set<number>();
  for (const { to, selector, args, words } of stored) {
    const [address, data] = [addressText(to), selector + wordDigits(args)];
    const place = content.calls.findIndex((call) => call.to === address && call.data === data);
    if (place === -1) continue;
    for (const [index, word] of words.entries())
      if (word !== null && wordDigits([word]) !== wordAt(results[place] ?? '0x', index))
        throw new Difference(
          'storage_differs',
          `word ${index} of call ${place}, ${data} of ${address}: storage gives ${word}`,
        );
    places.add(place);
  }
  return [...places].sort((a, b) => a - b);
}

class ProvenStorage implements ReadStorage {
  constructor(
    private readonly node: Node,
    private readonly block: ReceiptContent['block'],
    private readonly stateRoot: Hex,
  ) {}

  async words(contract: bigint, slots: readonly bigint[]): Promise<bigint[]> {
    const address = addressText(contract) as Hex;
    const response = await this.node.proof(address, slots.map(wordText), this.block);
    const proof = (response ?? {}) as Partial<AccountProof>;
    const root = this.storageRoot(address, proof);
    return slots.map((slot, index) => {
      const name = `slot ${wordText(slot)} of ${address}`;
      const { key, value, proof: nodes } = proof.storageProof?.[index] ?? {};
      if (orDifference('slot_differs', name, () => BigInt(key!)) !== slot)
        throw new Difference('slot_differs', `the node proves ${key} instead of ${name}`);
      const own = provenOr(name, () => {
        const found = provenValue(root, wordText(slot), nodes ?? []);
        // Anvil keeps words that became 0, as no bytes.
        return found === null || found === NO_BYTES ? 0n : BigInt(fromRlp(found) as Hex);
      });
      if (orDifference('value_differs', name, () => BigInt(value!)) !== own)
        throw new Difference('value_differs', `the node states ${value} in ${name}, the proof gives ${own}`);
      return own;
    });
  }

  slotOf(mapping: bigint, ...keys: readonly bigint[]): bigint {
    return keys.reduce((slot, key) => BigInt(keccak256(`0x${wordDigits([key, slot])}`)), mapping);
  }

  /** The root of the storage of an account that the block has. */
  private storageRoot(address: Hex, proof: Partial<AccountProof>): Hex {
    const { nonce, balance, storageHash, codeHash } = proof;
    const found = provenOr(`account ${address}`, () =>
      provenValue(this.stateRoot, address, proof.accountProof ?? []),
    );
    if (found === null) throw new Difference('account_differs', `the block has no account ${address}`);
    const stated = orDifference('account_differs', address, () =>
      toRlp([numberBytes(BigInt(nonce!)), numberBytes(BigInt(balance!)), storageHash!, codeHash!]),
    );
    if (proof.address?.toLowerCase() !== address || stated !== found)
      throw new Difference('account_differs', `the node states another account than that of ${address}`);
    return storageHash!;
  }
}

function wordAt(result: string, index: number): string {
  return result.slice(2 + index * WORD_DIGITS, 2 + (index + 1) * WORD_DIGITS);
}

function wordText(value: bigint): Hex {
  return `0x${wordDigits([value])}`;
}

function provenOr<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof InvalidNodes ? error.message : 'a node has no valid form';
    throw new Difference('proof_invalid', `${name}: ${reason}`);
  }
}

/** A part that has no valid form is not the one that is proved. */
function orDifference<T>(code: Difference['code'], name: string, work: () => T): T {
  try {
    return work();
  } catch {
    throw new Difference(code, `${name}: the node states a part that has no valid form`);
  }
}
