import type { Address } from 'viem';

/** One chain of the registry; `avgBlockTime` in seconds, null where nobody publishes one. */
export interface ChainRow {
  id: number;
  name: string;
  nativeCurrency: string;
  /** Host name of the explorer; empty for a local chain. */
  blockExplorer: string;
  avgBlockTime: number | null;
  multicall3: Address;
}

/** Contracts of a protocol on one chain; what the names mean is the business of the family's reader. */
export type ContractRow = Readonly<Record<string, unknown>>;

/** One protocol with its contracts by chain id. */
export interface ProtocolRow {
  id: string;
  name: string;
  /** Names the reader, e.g. aave-v3. */
  family: string;
  category: string;
  riskTier: 'low' | 'medium' | 'high';
  chains: Readonly<Record<string, ContractRow>>;
}

/** Everything the product knows of where protocols live. */
export interface ProtocolRegistry {
  chains: readonly ChainRow[];
  protocols: readonly ProtocolRow[];
}

/** One market to read: the unit of probing, of multicalls and of position keys. */
export interface MarketRow {
  protocol: string;
  family: string;
  chainId: number;
  /** Name of the instance inside the protocol; the protocol's id where it has only one. */
  market: string;
  contracts: ContractRow;
}

/** All markets of a family, optionally of one chain only. */
export function marketsOf(registry: ProtocolRegistry, family: string, chainId?: number): MarketRow[] {
  return registry.protocols
    .filter((protocol) => protocol.family === family)
    .flatMap((protocol) =>
      Object.entries(protocol.chains)
        .filter(([id]) => chainId === undefined || Number(id) === chainId)
        .flatMap(([id, contracts]) => marketRows(protocol, Number(id), contracts)),
    );
}

function marketRows(protocol: ProtocolRow, chainId: number, contracts: ContractRow): MarketRow[] {
  const row = { protocol: protocol.id, family: protocol.family, chainId };
  const { markets } = contracts;
  if (markets === undefined) return [{ ...row, market: protocol.id, contracts }];
  return Object.entries(markets as Record<string, ContractRow>).map(([market, own]) => ({
    ...row,
    market,
    contracts: own,
  }));
}
