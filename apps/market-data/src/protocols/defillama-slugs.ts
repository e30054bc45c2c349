/**
 * Names of our protocols at DefiLlama, the newest first, because it renames some. Each is a project of its
 * public repository DefiLlama/yield-server. A protocol without a match keeps the totals read on chain.
 */
export const DEFILLAMA_SLUGS: Readonly<Record<string, readonly string[]>> = {
  'aave-v3': ['aave-v3'],
  'aave-v2': ['aave-v2'],
  'aave-v4': ['aave-v4'],
  spark: ['sparklend'],
  hyperlend: ['hyperlend-pooled'],
  'compound-v2': ['compound-v2'],
  'compound-v3': ['compound-v3'],
  venus: ['venus-core-pool'],
  moonwell: ['moonwell-lending'],
  benqi: ['benqi-lending'],
  'morpho-blue': ['morpho-v1', 'morpho-blue'],
  'lista-lending': ['lista-lending'],
  'euler-v2': ['euler-v2'],
  fluid: ['fluid-lending'],
  'silo-v2': ['silo-v2'],
  'liquity-v1': ['liquity-v1'],
  'liquity-v2': ['liquity-v2'],
  felix: ['felix-cdp'],
  sky: ['sky-lending'],
  crvusd: ['crvusd'],
  llamalend: ['curve-llamalend'],
  fraxlend: ['fraxlend'],
  dolomite: ['dolomite'],
};
