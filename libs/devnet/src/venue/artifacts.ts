import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../evm/artifacts';
import { type SolidityInput, compileSolidity, solidityHash } from '../solidity/compile';

/** The output for the sources of a hash: the compiler takes longer than all else that `npm start` waits for. */
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

/** As compiled before, while the sources are those of then; compiled anew otherwise. */
export function venueArtifact(): Artifact {
  const kept = JSON.parse(readFileSync(join(__dirname, 'compiled.json'), 'utf8')) as CompiledVenue;
  const { OracleVenue } =
    kept.hash === solidityHash(VENUE_INPUT)
      ? kept.artifacts
      : (compileSolidity(VENUE_INPUT) as CompiledVenue['artifacts']);
  return OracleVenue;
}
