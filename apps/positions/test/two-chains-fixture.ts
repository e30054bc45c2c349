import { readFile, writeFile } from 'node:fs/promises';
import type { SeedPlan } from '@plimsoll/devnet';
import { type ChainFixture, startChain } from './chain-fixture';
import { ServiceFixture } from './service-fixture';

/** Chains 1 and 42161, each with the seeded wallets, and a service on both that is not started yet. */
export async function startTwoChains(
  plans: readonly SeedPlan[],
): Promise<{ chains: ChainFixture[]; service: ServiceFixture }> {
  const chains = [await startChain(1, plans), await startChain(42161, plans)];
  const overlays = await Promise.all(
    chains.map(async ({ overlayPath }) => JSON.parse(await readFile(overlayPath, 'utf8'))),
  );
  const overlayPath = chains[0]?.overlayPath ?? '';
  const merged = {
    chains: overlays.flatMap((overlay) => overlay.chains),
    protocols: overlays.flatMap((overlay) => overlay.protocols),
  };
  await writeFile(overlayPath, JSON.stringify(merged));
  const endpoints = chains.map(({ endpoint }) => endpoint);
  return { chains, service: await ServiceFixture.create(endpoints, overlayPath) };
}
