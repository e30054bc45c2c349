import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../evm/artifacts';
import { type SolidityInput, compileSolidity, solidityHash } from '../solidity/compile';

/** The package whose bytecode a pool of the devnet is: as Venus compiled and published it. */
export const VENUS_PACKAGE = {
  name: '@venusprotocol/isolated-pools',
  version: '4.4.0',
  integrity:
    'sha512-OalbpAYhtUJ9ZPHNUKDFZQcvjvRwtFeKU59weL7pUG9AUPBH9CwYhsK/M3OC7YIUmFGe5nBV554nirqCWu2SKA==',
} as const;

/** The folder of each contract of a pool in the package's artifacts. */
export const VENUS_FOLDERS = {
  Comptroller: 'contracts',
  VToken: 'contracts',
  JumpRateModelV2: 'contracts',
  MockPriceOracle: 'contracts/test/Mocks',
  MockToken: 'contracts/test/Mocks',
  AccessControlManager: '@venusprotocol/governance-contracts/contracts/Governance',
  BeaconProxy: '@openzeppelin/contracts/proxy/beacon',
  UpgradeableBeacon: '@openzeppelin/contracts/proxy/beacon',
} as const;

/**
 * The Venus contracts of tests and devnet: an isolated pool, its access control and proxies, a token, and two
 * kinds of oracle.
 */
export type VenusArtifact = keyof typeof VENUS_FOLDERS | 'VenusFeedOracle';

/** The file from tools/fetch-venus.cjs: the package has 340 MB, and a pool needs only this part. */
export interface FetchedVenus {
  package: typeof VENUS_PACKAGE;
  /** A hash of the sources of our own oracle. */
  oracleHash: string;
  artifacts: Record<VenusArtifact, Artifact>;
}

/** Our own oracle in front of the devnet's feeds. */
export const VENUS_ORACLE_INPUT: SolidityInput = {
  compiler: 'solc',
  folders: [__dirname],
  entries: ['VenusFeedOracle.sol'],
  settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'paris' },
};

/** The contracts of an isolated pool, with our oracle compiled from its current source. */
export function venusArtifacts(): Record<VenusArtifact, Artifact> {
  const kept = JSON.parse(readFileSync(join(__dirname, 'fetched.json'), 'utf8')) as FetchedVenus;
  if (kept.oracleHash === solidityHash(VENUS_ORACLE_INPUT)) return kept.artifacts;
  const { VenusFeedOracle } = compileSolidity(VENUS_ORACLE_INPUT) as Pick<
    FetchedVenus['artifacts'],
    'VenusFeedOracle'
  >;
  return { ...kept.artifacts, VenusFeedOracle };
}
