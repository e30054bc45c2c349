/** Display names of chains, as in GET /v1/chains. */
const CHAIN_NAMES: Readonly<Record<number, string>> = {
  1: 'Ethereum',
  10: 'OP Mainnet',
  56: 'BNB Smart Chain',
  100: 'Gnosis',
  130: 'Unichain',
  137: 'Polygon',
  146: 'Sonic',
  999: 'HyperEVM',
  8453: 'Base',
  9745: 'Plasma',
  42161: 'Arbitrum One',
  43114: 'Avalanche',
  59144: 'Linea Mainnet',
};

/** Display names of protocols, as in GET /v1/protocols. */
const PROTOCOL_NAMES: Readonly<Record<string, string>> = {
  'aave-v2': 'Aave V2',
  'aave-v3': 'Aave V3',
  'aave-v4': 'Aave V4',
  benqi: 'BENQI',
  'compound-v2': 'Compound V2',
  'compound-v3': 'Compound V3 (Comet)',
  crvusd: 'Curve crvUSD',
  dolomite: 'Dolomite',
  'euler-v2': 'Euler V2',
  felix: 'Felix CDP',
  fluid: 'Fluid',
  fraxlend: 'Fraxlend',
  hyperlend: 'HyperLend',
  'liquity-v1': 'Liquity V1',
  'liquity-v2': 'Liquity V2 (BOLD)',
  'lista-lending': 'Lista Lending (Moolah)',
  llamalend: 'Curve LlamaLend',
  moonwell: 'Moonwell',
  'morpho-blue': 'Morpho Blue',
  'silo-v2': 'Silo V2',
  sky: 'Sky (MakerDAO vaults)',
  spark: 'SparkLend',
  venus: 'Venus',
};

/** Ids of the protocols that have a name. */
export const PROTOCOL_IDS: readonly string[] = Object.keys(PROTOCOL_NAMES);

/** Returns the name of a chain, or its id when the registry has no name for it, such as a local chain. */
export function chainName(chainId: number): string {
  return CHAIN_NAMES[chainId] ?? `Chain ${chainId}`;
}

/** Returns the name of a protocol, or its id when the registry has no name for it. */
export function protocolName(protocol: string): string {
  return PROTOCOL_NAMES[protocol] ?? protocol;
}
