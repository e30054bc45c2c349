import {
  type DevnetAddresses,
  connectAnvil,
  deployDevnet,
  deployEns,
  deployVenue,
  isDeployed,
  seedFamilies,
  seedMorpho,
  seedPositions,
  seedVenus,
  seededWallets,
} from '@plimsoll/devnet';
import type { ExecutorAddresses } from '@plimsoll/devnet-executor';
import type { Address } from 'viem';

/** The addresses of a local market; plain JSON. */
export interface MarketAddresses extends DevnetAddresses {
  /** Absent, like the next ones, on a market that an earlier release deployed. */
  morpho?: Address;
  /** The comptroller of an isolated pool. */
  venus?: Address;
  /** The venue where wallets swap. */
  venue?: Address;
  /** The executor contracts of the markets. */
  executors?: ExecutorAddresses;
  /** The registry of ENS. Only on the chain with the id of mainnet. */
  ens?: Address;
}

/** The chain on which the platform reads ENS. */
const ENS_CHAIN = 1;

export { isDeployed, seededWallets };

/** Whether a market that an earlier release deployed has everything. */
export function isComplete(chainId: number, { morpho, venus, venue, ens }: MarketAddresses): boolean {
  return [morpho, venus, venue, ...(chainId === ENS_CHAIN ? [ens] : [])].every(
    (address) => address !== undefined,
  );
}

/** Addresses of the wallets that hold a position on every local market. */
export function demoWalletAddresses(): string[] {
  return seededWallets().map(({ address }) => address);
}

/**
 * Deploys what a local market lacks.
 * @param compiled waits for the contracts that the start compiles
 */
export async function deployMarket(
  rpcUrl: string,
  chainId: number,
  standing: MarketAddresses | undefined,
  compiled: () => Promise<void>,
): Promise<MarketAddresses> {
  const addresses = standing ?? (await deployDevnet({ rpcUrl, chainId }));
  if (!standing) {
    await seedPositions(rpcUrl, addresses);
    await seedFamilies(rpcUrl, addresses);
  }
  await compiled();
  const morpho = standing?.morpho ?? (await seedMorpho(rpcUrl, addresses)).morpho;
  const venus = standing?.venus ?? (await seedVenus(rpcUrl, addresses)).comptroller;
  const venue = standing?.venue ?? (await deployVenue(rpcUrl, addresses));
  const ens = chainId === ENS_CHAIN ? (standing?.ens ?? (await deployNames(rpcUrl))) : undefined;
  return { ...addresses, morpho, venus, venue, ...(ens && { ens }) };
}

/** Deploys ENS with a name for the first wallet of the demo. */
async function deployNames(rpcUrl: string): Promise<Address> {
  const { registry, register } = await deployEns(connectAnvil(rpcUrl));
  await register('demo.eth', demoWalletAddresses()[0] as Address);
  return registry;
}
