import {
  deployDevnet,
  deployVenue,
  isDeployed,
  seedFamilies,
  seedMorpho,
  seedPositions,
  seedVenus,
  seededWallets,
} from '@plimsoll/devnet';
import type { MarketAddresses } from './chain';

export { isDeployed, seededWallets };

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
  return { ...addresses, morpho, venus, venue };
}
