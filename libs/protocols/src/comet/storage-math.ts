import type { Market, ReadWords } from '../receipt-math';
import { type ReadStorage, type StoredCall, bitsOf } from '../storage-math';

/** Source: CometStorage.sol of compound-finance/comet, the same of both kinds of comets. */
const INDICES = 0n;
const TOTALS = 1n;
const USERS = 5n;
const COLLATERALS = 6n;
const HALF = 128;

const parts = (word: bigint, ...sizes: readonly number[]): bigint[] => {
  let from = 0;
  return sizes.map((size) => {
    from += size;
    return bitsOf(word, from - size, size);
  });
};

/** Everything that a comet stores of the base and of a wallet. Its collaterals are in its code. */
export async function cometStorage(
  { contracts, wallet }: Market,
  storage: ReadStorage,
  read: ReadWords,
): Promise<StoredCall[]> {
  const to = contracts['comet']!;
  const count = Number(read(to, '0xa46fe83b')[0]!);
  const assets = Array.from({ length: count }, (_, index) => read(to, '0xc8c7fe6b', BigInt(index))[1]!);
  const [indices = 0n, totals = 0n, user = 0n, ...collaterals] = await storage.words(to, [
    INDICES,
    TOTALS,
    storage.slotOf(USERS, wallet),
    ...assets.map((asset) => storage.slotOf(COLLATERALS, wallet, asset)),
  ]);
  const [principal = 0n, ...ofUser] = parts(user, 104, 64, 64, 16, 8);
  return [
    {
      to,
      selector: '0xb9f0baf7',
      args: [],
      words: [...parts(indices, 64, 64, 64, 64), ...parts(totals, 104, 104, 40, 8)],
    },
    {
      to,
      selector: '0xdc4abafd',
      args: [wallet],
      // A principal has a sign, which a result has in all bits in front.
      words: [BigInt.asUintN(256, BigInt.asIntN(104, principal)), ...ofUser],
    },
    ...assets.map((asset, index) => ({
      to,
      selector: '0x2b92a07d',
      args: [wallet, asset],
      words: parts(collaterals[index]!, HALF, HALF),
    })),
  ];
}
