import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { FAMILIES } from '@plimsoll/protocols';

/** The proof of one test for a family's reader. */
export interface Proof {
  family: keyof typeof FAMILIES;
  /** genuine: run against a protocol's bytecode; stand-in: against a contract of ours with its read interface. */
  how: 'genuine' | 'stand-in';
  /** The protocol of the bytecode. Others of the family are forks of it. */
  protocol?: string;
  /** Whether its markets count in any token, so that their dollar values need an oracle of the chain. */
  needsDollarOracle?: true;
  what: string;
  /** The test, from the root of the repository. A proofs.json names a file beside it. */
  test: string;
}

const ROOT = path.join(__dirname, '../..');
const PROTOCOLS = 'libs/protocols/src';

/** The proofs of every proofs.json in the folders of the families, by family. */
export function readProofs(): readonly Proof[] {
  return readdirSync(path.join(ROOT, PROTOCOLS), { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'proofs.json')
    .flatMap((file) => {
      const proofs = JSON.parse(readFileSync(path.join(ROOT, PROTOCOLS, file), 'utf8')) as Proof[];
      const folder = path.posix.join(PROTOCOLS, path.dirname(file));
      return proofs.map((proof) => ({ ...proof, test: `${folder}/${proof.test}` }));
    })
    .toSorted((a, b) => Number(a.family > b.family) - Number(a.family < b.family));
}
