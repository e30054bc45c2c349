import { readFileSync } from 'node:fs';
import type { Abi, Address, Hex } from 'viem';

/** The folder of each deployed contract in the artifacts of `@aave/core-v3`. */
const FOLDERS = {
  PoolAddressesProvider: 'protocol/configuration',
  ACLManager: 'protocol/configuration',
  BorrowLogic: 'protocol/libraries/logic',
  BridgeLogic: 'protocol/libraries/logic',
  EModeLogic: 'protocol/libraries/logic',
  LiquidationLogic: 'protocol/libraries/logic',
  PoolLogic: 'protocol/libraries/logic',
  SupplyLogic: 'protocol/libraries/logic',
  FlashLoanLogic: 'protocol/libraries/logic',
  ConfiguratorLogic: 'protocol/libraries/logic',
  Pool: 'protocol/pool',
  PoolConfigurator: 'protocol/pool',
  DefaultReserveInterestRateStrategy: 'protocol/pool',
  AToken: 'protocol/tokenization',
  VariableDebtToken: 'protocol/tokenization',
  StableDebtToken: 'protocol/tokenization',
  AaveOracle: 'misc',
  AaveProtocolDataProvider: 'misc',
  MintableERC20: 'mocks/tokens',
} as const;

/** A contract of `@aave/core-v3` that the devnet deploys. */
export type ArtifactName = keyof typeof FOLDERS;

/**
 * The parts of a Hardhat artifact that a deployment needs. The creation code may hold unlinked library slots.
 */
export interface Artifact {
  abi: Abi;
  bytecode: string;
  linkReferences: Record<string, Record<string, { start: number; length: number }[]>>;
}

/** The genuine creation code, compiled and published by Aave. */
export function loadArtifact(name: ArtifactName): Artifact {
  return readArtifact(`@aave/core-v3/artifacts/contracts/${FOLDERS[name]}`, name);
}

/** The artifact of a contract in a folder of an installed package. @throws when the package does not have it */
export function readArtifact(folder: string, name: string): Artifact {
  const path = require.resolve(`${folder}/${name}.sol/${name}.json`);
  const { abi, bytecode, linkReferences } = JSON.parse(readFileSync(path, 'utf8')) as Artifact;
  return { abi, bytecode, linkReferences };
}

/**
 * Writes library addresses into the places the compiler left open.
 * @throws when a library the artifact refers to is not in `libraries`
 */
export function linkBytecode(artifact: Artifact, libraries: Partial<Record<string, Address>>): Hex {
  let code = artifact.bytecode;
  for (const byLibrary of Object.values(artifact.linkReferences)) {
    for (const [library, slots] of Object.entries(byLibrary)) {
      const address = libraries[library];
      if (!address) throw new Error(`library ${library} is not deployed yet: deploy it before linking`);
      for (const { start, length } of slots) {
        const from = 2 + start * 2;
        code = code.slice(0, from) + address.slice(2).toLowerCase() + code.slice(from + length * 2);
      }
    }
  }
  return code as Hex;
}
