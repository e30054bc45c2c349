import { readFileSync } from 'node:fs';
import { repositoryFiles } from '@plimsoll/local-parts';
import { auditResult, runNpmAudit } from './audit';
import { OWN_BYTECODE, findBytecode } from './bytecode';
import { licenceReport } from './licences';
import { type LockFile, productionPackages, resolve } from './production-packages';
import { sbomOf } from './sbom';
import { HARMLESS, findSecrets } from './secrets';

const USAGE = `usage: npm run --silent tool -- sbom | licences | secrets | bytecode | audit

  sbom      prints the production packages as CycloneDX 1.6
  licences  prints the licences of the production packages; exits with 1 for one that is not permitted
  secrets   searches the files of the repository for keys and tokens; exits with 1 when it finds one
  bytecode  searches them for EVM code other than that of our own contracts; exits with 1 when it finds some
  audit     runs npm audit for the production packages; exits with 1 for a high or critical advisory, and
            says NOT RUN where the registry does not serve advisories`;

const COMMANDS: Record<string, () => number> = { sbom, licences, secrets, bytecode, audit };

/** Runs one command in the current folder. */
export function main([name = '', ...rest]: readonly string[]): void {
  const command = COMMANDS[name];
  if (command && rest.length === 0) process.exitCode = command();
  else {
    console.log(USAGE);
    process.exitCode = rest.includes('--help') ? 0 : 2;
  }
}

interface Manifest {
  name: string;
  version: string;
  dependencies: Record<string, string>;
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
const lockedPackages = () => productionPackages(readJson<LockFile>('package-lock.json'));

function sbom(): number {
  const { name, version, dependencies } = readJson<Manifest>('package.json');
  const packages = lockedPackages();
  const places = new Set(packages.keys());
  const direct = Object.keys(dependencies).flatMap((each) => resolve('', each, places) ?? []);
  console.log(JSON.stringify(sbomOf({ name, version }, packages, direct), null, 2));
  return 0;
}

function licences(): number {
  const { byLicence, forbidden } = licenceReport(lockedPackages().values());
  for (const [licence, packages] of byLicence)
    console.log(`${String(packages.length).padStart(4)}  ${licence || 'no licence'}: ${packages.join(', ')}`);
  for (const each of forbidden) console.error(`${each} is not permitted in production. Replace the package.`);
  return forbidden.length === 0 ? 0 : 1;
}

function secrets(): number {
  const files = repositoryFiles(process.cwd()).filter((file) => !(file in HARMLESS));
  const found = files.flatMap((file) => findSecrets(file, readFileSync(file, 'utf8')));
  for (const { file, line, rule } of found)
    console.error(
      `${file}:${line} looks like a secret (${rule}). Revoke it, and remove it from the history.`,
    );
  console.log(`${files.length} files, ${found.length} secrets`);
  return found.length === 0 ? 0 : 1;
}

function bytecode(): number {
  const files = repositoryFiles(process.cwd()).filter((file) => !(file in OWN_BYTECODE));
  const found = files.flatMap((file) => findBytecode(file, readFileSync(file)));
  for (const { file, line } of found)
    console.error(`${file}:${line} is EVM code. Take it from an npm package, or compile it into the cache.`);
  console.log(`${files.length} files, ${found.length} with EVM code`);
  return found.length === 0 ? 0 : 1;
}

function audit(): number {
  const { lines, passed } = auditResult(runNpmAudit());
  for (const line of lines) console.log(line);
  return passed ? 0 : 1;
}
