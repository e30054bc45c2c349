import { createChainClient, loadRegistry, readLatestHead } from '@plimsoll/evm';
import { isReadable } from '@plimsoll/protocols';
import type { Address } from 'viem';
import { marketsOn } from '../src/chains/chain-connection';
import type { RecordedPosition } from '../src/receipts/receipt-content';
import type { ChainFixture } from './chain-fixture';

const TIMEOUT_MS = 20_000;

/** The Aave v3 positions of a wallet at the newest block, read as the service reads them for a receipt. */
export async function recordedPositions(chain: ChainFixture, wallet: Address): Promise<RecordedPosition[]> {
  const { chainId } = chain.endpoint;
  const client = createChainClient({ chainId, rpcUrl: chain.node.url, timeoutMs: TIMEOUT_MS });
  const registry = await loadRegistry(chain.overlayPath);
  // The holdings of Aave need no index.
  const markets = marketsOn(registry, client, { subIdsOf: () => Promise.resolve(new Map()) });
  const { row } = markets.readers.find((reader) => reader.row.family === 'aave-v3')!;
  const { hash } = await readLatestHead(client);
  const { reader, block, recording } = (await markets.recorded(row, hash))!;
  const { positions } = await reader.readPositions([wallet], block);
  return positions.filter(isReadable).map((position) => ({ row, block, position, recording }));
}
