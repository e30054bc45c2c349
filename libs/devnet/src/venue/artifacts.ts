import type { Artifact } from '../evm/artifacts';
import { compileSolidity } from '../solidity/compile';

/** Our own venue. @throws as compileSolidity */
export function venueArtifact(): Artifact {
  const { OracleVenue } = compileSolidity({
    compiler: 'solc',
    folders: [__dirname],
    entries: ['OracleVenue.sol'],
    settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'london' },
  });
  return OracleVenue!;
}
