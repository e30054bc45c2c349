import { standIns, startLocalChain, type Call, type LocalChain } from './local-chain';

/** Starts a chain before the tests of a file and stops it after them. The chain exists when the tests run. */
export function useLocalChain(options: Parameters<typeof startLocalChain>[0] = {}): () => LocalChain {
  let chain: LocalChain;
  // Compiled once for all files. The first file waits for the compiler.
  beforeAll(() => void standIns(), 180_000);
  beforeAll(async () => {
    chain = await startLocalChain(options);
  }, 60_000);
  afterAll(() => chain?.node.dispose());
  return () => chain;
}

/** Wallets of one call, so that it stays within a block's gas. */
const WALLETS_PER_CALL = 55;

/** Splits parallel arrays into calls of so many wallets. `head` are the arguments before them. */
export function inParts(
  call: Omit<Call, 'args'>,
  head: readonly unknown[],
  lists: readonly (readonly unknown[])[],
): Call[] {
  return Array.from({ length: Math.ceil(lists[0]!.length / WALLETS_PER_CALL) }, (_, part) => {
    const [from, to] = [part * WALLETS_PER_CALL, (part + 1) * WALLETS_PER_CALL];
    return { ...call, args: [...head, ...lists.map((list) => list.slice(from, to))], gas: 12_000_000n };
  });
}
