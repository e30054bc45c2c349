import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../evm/artifacts';

/** The package with the bytecode of the core pool of a test, as Venus compiled and published it. */
export const VENUS_CORE_PACKAGE = {
  name: '@venusprotocol/venus-protocol',
  version: '10.3.0',
  integrity:
    'sha512-qGvjvUgYhK5REF/Cj4Lg4FNBMrEscnSSxr4sHL4WDlb2woPucvqLfGkw/f3XKFanf+lWD1G4K0Gzpdc430+BeQ==',
} as const;

/** The folder of each contract of a core pool in the package's artifacts. */
export const VENUS_CORE_FOLDERS = {
  Unitroller: 'contracts/Comptroller',
  Diamond: 'contracts/Comptroller/Diamond',
  MarketFacet: 'contracts/Comptroller/Diamond/facets',
  PolicyFacet: 'contracts/Comptroller/Diamond/facets',
  RewardFacet: 'contracts/Comptroller/Diamond/facets',
  SetterFacet: 'contracts/Comptroller/Diamond/facets',
  ComptrollerLens: 'contracts/Lens',
  VBep20Immutable: 'contracts/Tokens/VTokens',
  JumpRateModel: 'contracts/InterestRateModels',
  VAI: 'contracts/Tokens/VAI',
  VAIController: 'contracts/Tokens/VAI',
  VAIUnitroller: 'contracts/Tokens/VAI',
  AccessControlManagerMock: 'contracts/test',
} as const;

export type VenusCoreArtifact = keyof typeof VENUS_CORE_FOLDERS;

/** The file from tools/fetch-venus.cjs: the package has 340 MB, and a core pool needs only this part. */
export interface FetchedVenusCore {
  package: typeof VENUS_CORE_PACKAGE;
  artifacts: Record<VenusCoreArtifact, Artifact>;
}

export function readVenusCore(): FetchedVenusCore {
  return JSON.parse(readFileSync(join(__dirname, 'fetched.json'), 'utf8')) as FetchedVenusCore;
}
