import { aaveV3Storage } from './aave-v3/storage-math';
import { cometStorage } from './comet/storage-math';
import { morphoBlueStorage } from './morpho-blue/storage-math';
import type { StorageLayout } from './storage-math';

/** The families whose contracts have a known layout of storage. */
export const LAYOUTS: Readonly<Record<string, StorageLayout>> = {
  'aave-v3': aaveV3Storage,
  comet: cometStorage,
  'morpho-blue': morphoBlueStorage,
};
