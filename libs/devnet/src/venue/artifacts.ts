import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../evm/artifacts';
import { type SolidityInput, compileSolidity, solidityHash } from '../solidity/compile';

/**
 * The compiler's output by the hash of the sources, because compiling would be the longest step of `npm
 * start`.
 */
interface CompiledVenue {
  hash: string;
  artifacts: { OracleVenue: Artifact };
}

export const VENUE_INPUT: SolidityInput = {
  compiler: 'solc',
  folders: [__dirname],
  entries: ['OracleVenue.sol'],
  settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'london' },
};

/** The stored output if the sources have not changed. Otherwise they are compiled. */
export function venueArtifact(): Artifact {
  const kept = JSON.parse(readFileSync(join(__dirname, 'compiled.json'), 'utf8')) as CompiledVenue;
  const { OracleVenue } =
    kept.hash === solidityHash(VENUE_INPUT)
      ? kept.artifacts
      : (compileSolidity(VENUE_INPUT) as CompiledVenue['artifacts']);
  return OracleVenue;
}
