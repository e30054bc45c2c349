import { type RegistryOverlayFile, registryOverlay } from '@plimsoll/devnet';
import type { RunningChain } from './chain';
import { writeJsonFile } from '../settings/json-file';

/** Writes the file with the addresses of the local markets and their price feeds, which services read. */
export function writeRegistryOverlay(file: string, chains: readonly RunningChain[]): void {
  writeJsonFile(
    file,
    mergeOverlays(
      chains.flatMap(({ addresses }) => (addresses ? [registryOverlay(addresses, addresses)] : [])),
    ),
  );
}

/** Merges several overlays. A protocol in two of them gets the chains of both. */
export function mergeOverlays(overlays: readonly RegistryOverlayFile[]): RegistryOverlayFile {
  const protocols = new Map<string, RegistryOverlayFile['protocols'][number]>();
  for (const { id, chains } of overlays.flatMap((overlay) => overlay.protocols)) {
    protocols.set(id, { id, chains: { ...protocols.get(id)?.chains, ...chains } });
  }
  return {
    chains: overlays.flatMap((overlay) => overlay.chains),
    priceFeeds: overlays.flatMap((overlay) => overlay.priceFeeds),
    execution: overlays.flatMap((overlay) => overlay.execution),
    labels: overlays.flatMap((overlay) => overlay.labels),
    protocols: [...protocols.values()],
  };
}
