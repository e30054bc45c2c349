import type { Artifact } from '../evm/artifacts';
import { PACKAGES_FOLDER, type SolidityInput, compileSolidity } from '../solidity/compile';

/** The Morpho Blue contracts of the devnet: Morpho itself, a rate model and two kinds of oracle. */
export type MorphoArtifact = 'Morpho' | 'IrmMock' | 'OracleMock' | 'FeedOracle';

const SOURCE = '@morpho-org/morpho-blue/src';

/** Morpho Blue as its repository compiles it for deployment (foundry.toml, profile default). */
const MORPHO_INPUT: SolidityInput = {
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

/** Compiled from the package's sources. @throws as compileSolidity */
export function morphoArtifacts(): Record<MorphoArtifact, Artifact> {
  return compileSolidity(MORPHO_INPUT) as Record<MorphoArtifact, Artifact>;
}
