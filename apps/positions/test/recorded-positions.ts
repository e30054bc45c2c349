import { createChainClient, loadRegistry, readLatestHead } from '@plimsoll/evm';
import { isReadable, logIndex } from '@plimsoll/protocols';
import type { Address } from 'viem';
import { marketsOn } from '../src/chains/chain-connection';
import type { RecordedPosition } from '../src/receipts/receipt-content';
import type { ChainFixture } from './chain-fixture';

const TIMEOUT_MS = 20_000;

/** The positions of a wallet in a family at the newest block, read as the service reads them for a receipt. */
export async function recordedPositions(
  chain: Pick<ChainFixture, 'endpoint' | 'overlayPath'>,
  wallet: Address,
  family = 'aave-v3',
): Promise<RecordedPosition[]> {
  const { chainId, rpcUrl } = chain.endpoint;
  const client = createChainClient({ chainId, rpcUrl, timeoutMs: TIMEOUT_MS });
  const registry = await loadRegistry(chain.overlayPath);
  const markets = marketsOn(registry, client, logIndex(client, 0n));
  const { row } = markets.readers.find((reader) => reader.row.family === family)!;
  const { hash } = await readLatestHead(client);
  const { reader, block, recording } = (await markets.recorded(row, hash))!;
  const { positions } = await reader.readPositions([wallet], block);
  return positions.filter(isReadable).map((position) => ({ row, block, position, recording }));
}
