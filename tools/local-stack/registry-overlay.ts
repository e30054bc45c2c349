import { registryOverlay } from '@plimsoll/devnet';
import type { RunningChain } from './chain';
import { writeJsonFile } from './json-file';

type Overlay = ReturnType<typeof registryOverlay>;

/** Writes the file that tells libs/chain where the local markets are. */
export function writeRegistryOverlay(file: string, chains: readonly RunningChain[]): void {
  writeJsonFile(
    file,
    mergeOverlays(chains.flatMap(({ addresses }) => (addresses ? [registryOverlay(addresses)] : []))),
  );
}

/** One overlay of several: a protocol that stands in two of them gets the chains of both. */
export function mergeOverlays(overlays: readonly Overlay[]): Overlay {
  const protocols = new Map<string, Overlay['protocols'][number]>();
  for (const { id, chains } of overlays.flatMap((overlay) => overlay.protocols)) {
    protocols.set(id, { id, chains: { ...protocols.get(id)?.chains, ...chains } });
  }
  return { chains: overlays.flatMap((overlay) => overlay.chains), protocols: [...protocols.values()] };
}
