import type { Market } from '../receipt-math';
import { type ReadStorage, type StoredCall, bitsOf, slotsFrom } from '../storage-math';

/** Source: MorphoStorageLib.sol of `@morpho-org/morpho-blue`. */
const POSITION = 2n;
const MARKET = 3n;
const MARKET_PARAMS = 8n;
const HALF = 128;

const halves = (word: bigint): bigint[] => [bitsOf(word, 0, HALF), bitsOf(word, HALF, HALF)];

/** Everything that Morpho stores of a market and of a wallet in it. */
export async function morphoBlueStorage(
  { contracts, wallet, subId }: Market,
  storage: ReadStorage,
): Promise<StoredCall[]> {
  const to = contracts['morpho']!;
  const id = BigInt(subId);
  const words = await storage.words(to, [
    ...slotsFrom(storage.slotOf(MARKET_PARAMS, id), 5),
    ...slotsFrom(storage.slotOf(MARKET, id), 3),
    ...slotsFrom(storage.slotOf(POSITION, id, wallet), 2),
  ]);
  const [supplyShares = 0n, borrowSharesAndCollateral = 0n] = words.slice(8);
  return [
    { to, selector: '0x2c3c9157', args: [id], words: words.slice(0, 5) },
    { to, selector: '0x5c60e39a', args: [id], words: words.slice(5, 8).flatMap(halves) },
    {
      to,
      selector: '0x93c52062',
      args: [id, wallet],
      words: [supplyShares, ...halves(borrowSharesAndCollateral)],
    },
  ];
}
