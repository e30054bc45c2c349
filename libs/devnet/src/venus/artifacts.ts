import { type Artifact, readArtifact } from '../evm/artifacts';
import { compileSolidity } from '../solidity/compile';

/** The folder of each contract of a pool in the artifacts that Venus compiled and published. */
const FOLDERS = {
  Comptroller: 'contracts',
  VToken: 'contracts',
  PoolRegistry: 'contracts/Pool',
  JumpRateModelV2: 'contracts',
  MockPriceOracle: 'contracts/test/Mocks',
  MockToken: 'contracts/test/Mocks',
  ProtocolShareReserve: '@venusprotocol/protocol-reserve/contracts/ProtocolReserve',
  AccessControlManager: '@venusprotocol/governance-contracts/contracts/Governance',
  BeaconProxy: '@openzeppelin/contracts/proxy/beacon',
  UpgradeableBeacon: '@openzeppelin/contracts/proxy/beacon',
} as const;

/**
 * The Venus contracts of tests and devnet: an isolated pool, the registry of pools, access control and proxies, a
 * token, and two kinds of oracle.
 */
export type VenusArtifact = keyof typeof FOLDERS | 'VenusFeedOracle';

/** The contracts of isolated pools, and our own oracle in front of the devnet's feeds. @throws as compileSolidity */
export function venusArtifacts(): Record<VenusArtifact, Artifact> {
  const { VenusFeedOracle } = compileSolidity({
    compiler: 'solc',
    folders: [__dirname],
    entries: ['VenusFeedOracle.sol'],
    settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'paris' },
  });
  const published = Object.entries(FOLDERS).map(([name, folder]) => [
    name,
    readArtifact(`@venusprotocol/isolated-pools/artifacts/${folder}`, name),
  ]);
  return { ...Object.fromEntries(published), VenusFeedOracle } as Record<VenusArtifact, Artifact>;
}
