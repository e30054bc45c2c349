import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../evm/artifacts';
import { PACKAGES_FOLDER, type SolidityInput, compileSolidity, solidityHash } from '../solidity/compile';

/** The Morpho Blue contracts of the devnet: Morpho itself, a rate model and two kinds of oracle. */
export type MorphoArtifact = 'Morpho' | 'IrmMock' | 'OracleMock' | 'FeedOracle';

/**
 * The compiler's output by the hash of the sources, because compiling would be the longest step of `npm
 * start`.
 */
interface CompiledMorpho {
  hash: string;
  artifacts: Record<MorphoArtifact, Artifact>;
}

const SOURCE = '@morpho-org/morpho-blue/src';

/** Morpho Blue as its repository compiles it for deployment (foundry.toml, profile default). */
export const MORPHO_INPUT: SolidityInput = {
  compiler: 'solc-0.8.19',
  folders: [__dirname, PACKAGES_FOLDER],
  entries: [
    `${SOURCE}/Morpho.sol`,
    `${SOURCE}/mocks/IrmMock.sol`,
    `${SOURCE}/mocks/OracleMock.sol`,
    'FeedOracle.sol',
  ],
  settings: { optimizer: { enabled: true, runs: 999_999 }, evmVersion: 'paris', viaIR: true },
};

/** The stored output if the sources have not changed. Otherwise they are compiled. */
export function morphoArtifacts(): Record<MorphoArtifact, Artifact> {
  const kept = JSON.parse(readFileSync(join(__dirname, 'compiled.json'), 'utf8')) as CompiledMorpho;
  return kept.hash === solidityHash(MORPHO_INPUT)
    ? kept.artifacts
    : (compileSolidity(MORPHO_INPUT) as CompiledMorpho['artifacts']);
}
