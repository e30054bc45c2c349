import {
  ChainReadError,
  Multicall,
  type ProtocolRegistry,
  allMarkets,
  createChainClient,
  readLatestHead,
} from '@plimsoll/evm';
import { FAMILIES, createReaders, marketListsOf } from '@plimsoll/protocols';
import type { VerifiedRow } from './verify-chain';

/** The result of one row of the registry. `message` names the next step after a failure. */
export interface RowReport {
  protocol: string;
  market: string;
  family: string;
  state: 'ok' | 'failing' | 'not_read';
  reason?: string;
  message?: string;
}

/** The result of one chain. */
export interface ChainReport {
  chainId: number;
  name: string;
  /** Null when the node does not respond. `problem` then names the reason, and no row was read. */
  head: number | null;
  /** Whether the node is of the chain that its variable names. */
  problem: string | null;
  rows: RowReport[];
  /** Present with --verify. */
  verified?: VerifiedRow[];
}

/** Probes every row of a chain over its node. Never rejects because of the node. */
export async function probeChain(
  registry: ProtocolRegistry,
  { chainId, rpcUrl }: { chainId: number; rpcUrl: string },
): Promise<ChainReport> {
  const chain = registry.chains.find(({ id }) => id === chainId);
  const report: ChainReport = { chainId, name: chain?.name ?? '', head: null, problem: null, rows: [] };
  if (!chain) return { ...report, problem: 'the chain is not in the registry: add it to REGISTRY_OVERLAY' };
  const client = createChainClient({ chainId, rpcUrl });
  try {
    const actual = Number(await client.request<string>('eth_chainId', []));
    if (actual !== chainId)
      return { ...report, problem: `the node is of chain ${actual}: correct RPC_URL_${chainId}` };
    const block = await readLatestHead(client);
    const multicall = new Multicall(client, chain.multicall3);
    const parts = { client, multicall };
    const refreshed = await marketListsOf(registry, parts).refresh(block);
    const readers = [
      ...createReaders(registry, parts),
      ...createReaders(registry, parts, refreshed?.added ?? []),
    ];
    const unlisted = (refreshed?.failing ?? []).map(
      ({ row: { protocol, family, market }, reason }): RowReport => {
        const message = `its markets cannot be listed: check ${market} in the registry`;
        return { protocol, family, market, state: 'failing', reason: reason ?? 'not_read_yet', message };
      },
    );
    const probed = await Promise.all(
      readers.map(async (reader): Promise<RowReport> => {
        const { protocol, market, family } = reader.row;
        const probe = await reader.probe(block);
        const row = { protocol, market, family };
        return probe.ok
          ? { ...row, state: 'ok' }
          : { ...row, state: 'failing', reason: probe.reason, message: probe.message };
      }),
    );
    return {
      ...report,
      head: Number(block.number),
      rows: [...probed, ...unlisted, ...rowsNotRead(registry, chainId)],
    };
  } catch (error) {
    if (!(error instanceof ChainReadError)) throw error;
    return { ...report, problem: error.message };
  }
}

function rowsNotRead(registry: ProtocolRegistry, chainId: number): RowReport[] {
  return allMarkets(registry, chainId)
    .filter(({ family }) => !(family in FAMILIES))
    .map(({ protocol, market, family }) => ({ protocol, market, family, state: 'not_read' }));
}
