import { readFile } from 'node:fs/promises';
import labelsJson from './label-table.json';
import { mergeOverlay, parseOverlay } from './overlay';
import registryJson from './protocol-registry.json';
import type { ProtocolRegistry } from './registry';

/**
 * The registry of the product, merged with the overlay from a JSON file if a path is given.
 * @throws when the file cannot be read or does not have the overlay's shape
 */
export async function loadRegistry(overlayPath?: string): Promise<ProtocolRegistry> {
  const { chains, protocols } = registryJson as unknown as ProtocolRegistry;
  const labels = labelsJson.labels as unknown as ProtocolRegistry['labels'] & object;
  if (!overlayPath) return { chains, protocols, labels };
  const overlay: unknown = JSON.parse(await readFile(overlayPath, 'utf8'));
  return mergeOverlay({ chains, protocols, labels }, parseOverlay(overlay));
}
