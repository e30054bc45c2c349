import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Artifact } from '../evm/artifacts';
import { collectSources, type Remappings } from './sources';

/** The input of the compiler. The settings are included, because the bytecode depends on them. */
export interface SolidityInput {
  /** The package of the compiler, of the version that the protocol names. */
  compiler: 'solc' | 'solc-0.8.19';
  /** Folders in which names are resolved, in order; default: the installed packages. */
  folders?: readonly string[];
  entries: readonly string[];
  remappings?: Remappings;
  settings: {
    optimizer: { enabled: boolean; runs: number };
    evmVersion: string;
    viaIR?: boolean;
  };
}

/** The packages of the repository. */
export const PACKAGES_FOLDER = dirname(dirname(require.resolve('solc/package.json')));
const CACHE_FOLDER = join(PACKAGES_FOLDER, '.cache', 'plimsoll-solidity');

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts?: Record<string, Record<string, { abi: Artifact['abi']; evm: { bytecode: CompiledCode } }>>;
}
interface CompiledCode {
  object: string;
  linkReferences: Artifact['linkReferences'];
}

/**
 * Compiles contracts, or reuses the output for the same sources and settings: it is stored under a hash of
 * both, because the large protocols take half a minute. The key is the name of the contract.
 * @throws with the compiler's first error
 */
export function compileSolidity(input: SolidityInput): Record<string, Artifact> {
  const standardInput = standardInputOf(input);
  const file = join(CACHE_FOLDER, `${hashOf(input, standardInput)}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Artifact>;
  const artifacts = compile(input.compiler, standardInput);
  mkdirSync(CACHE_FOLDER, { recursive: true });
  // Written to a second file and renamed, because another process may compile the same.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(artifacts));
  renameSync(`${file}.${process.pid}`, file);
  return artifacts;
}

/** A hash of everything that the output depends on: sources, settings and compiler. */
function hashOf({ compiler }: SolidityInput, standardInput: string): string {
  return createHash('sha256').update(`${compiler}\n${standardInput}`).digest('hex').slice(0, 32);
}

function standardInputOf(input: SolidityInput): string {
  const { entries, settings, remappings = {}, folders = [PACKAGES_FOLDER] } = input;
  const sources = collectSources(entries, folders, remappings);
  return JSON.stringify({
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    settings: {
      ...settings,
      ...(Object.keys(remappings).length > 0 && {
        remappings: Object.entries(remappings).map(([from, to]) => `${from}=${to}`),
      }),
      metadata: { bytecodeHash: 'none' },
      outputSelection: {
        '*': { '*': ['abi', 'evm.bytecode.object', 'evm.bytecode.linkReferences'] },
      },
    },
  });
}

function compile(compiler: SolidityInput['compiler'], standardInput: string): Record<string, Artifact> {
  // Loaded here: the compiler is 8 MB of WebAssembly and not needed when the output is known.
  const solc = require(compiler) as { compile: (input: string) => string };
  const { errors = [], contracts = {} } = JSON.parse(solc.compile(standardInput)) as CompilerOutput;
  const error = errors.find(({ severity }) => severity === 'error');
  if (error) throw new Error(`${compiler}: ${error.formattedMessage}`);
  return Object.fromEntries(
    Object.values(contracts)
      .flatMap((ofFile) => Object.entries(ofFile))
      .filter(([, { evm }]) => evm.bytecode.object.length > 0)
      .map(([name, { abi, evm }]) => [
        name,
        {
          abi,
          bytecode: `0x${evm.bytecode.object}`,
          linkReferences: evm.bytecode.linkReferences,
        },
      ]),
  );
}
