import { standIns, startLocalChain, type LocalChain } from './local-chain';

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
