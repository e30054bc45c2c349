import { type Artifact, readArtifact } from '../evm/artifacts';

/** The folder of each contract of a core pool in the artifacts that Venus compiled and published. */
const FOLDERS = {
  Unitroller: 'contracts/Comptroller',
  Diamond: 'contracts/Comptroller/Diamond',
  MarketFacet: 'contracts/Comptroller/Diamond/facets',
  PolicyFacet: 'contracts/Comptroller/Diamond/facets',
  RewardFacet: 'contracts/Comptroller/Diamond/facets',
  SetterFacet: 'contracts/Comptroller/Diamond/facets',
  ComptrollerLens: 'contracts/Lens',
  VBep20Immutable: 'contracts/Tokens/VTokens',
  VBep20DelegateR1: 'contracts/Tokens/VTokens/legacy',
  VBep20DelegatorR1: 'contracts/Tokens/VTokens/legacy',
  JumpRateModel: 'contracts/InterestRateModels',
  VAI: 'contracts/Tokens/VAI',
  VAIController: 'contracts/Tokens/VAI',
  VAIUnitroller: 'contracts/Tokens/VAI',
  Liquidator: 'contracts/Liquidator',
  AccessControlManagerMock: 'contracts/test',
} as const;

export type VenusCoreArtifact = keyof typeof FOLDERS;

/** The contracts of a core pool. */
export function venusCoreArtifacts(): Record<VenusCoreArtifact, Artifact> {
  const published = Object.entries(FOLDERS).map(([name, folder]) => [
    name,
    readArtifact(`@venusprotocol/venus-protocol/artifacts/${folder}`, name),
  ]);
  return Object.fromEntries(published) as Record<VenusCoreArtifact, Artifact>;
}
