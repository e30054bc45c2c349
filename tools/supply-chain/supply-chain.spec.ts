import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { repositoryFiles } from '@plimsoll/local-parts';
import { auditResult } from './audit';
import { OWN_BYTECODE, findBytecode } from './bytecode';
import { isPermitted, licenceReport } from './licences';
import { type LockFile, productionPackages, resolve } from './production-packages';
import { sbomOf } from './sbom';
import { findSecrets } from './secrets';

const ROOT = path.join(__dirname, '../..');
const LOCK: LockFile = {
  packages: {
    '': { name: 'plimsoll' },
    'node_modules/a': {
      version: '1.0.0',
      license: 'MIT',
      dependencies: { b: '2', c: '1' },
      integrity: 'sha512-AAEC',
    },
    'node_modules/a/node_modules/b': { version: '2.0.0', license: '(GPL-3.0-only OR MIT)' },
    'node_modules/b': { version: '1.0.0', license: 'BUSL-1.1' },
    'node_modules/@s/c': { version: '3.0.0' },
    'node_modules/c': { version: '1.0.0', license: 'ISC', optionalDependencies: { missing: '1' } },
    'node_modules/test-only': { version: '1.0.0', license: 'GPL-3.0-only', dev: true },
  },
};

describe('productionPackages', () => {
  const packages = productionPackages(LOCK);

  it('leaves out packages of tests and tools', () => {
    expect([...packages.values()].map(({ name, version }) => `${name}@${version}`)).toEqual([
      'a@1.0.0',
      'b@2.0.0',
      'b@1.0.0',
      '@s/c@3.0.0',
      'c@1.0.0',
    ]);
  });

  it('resolves a dependency as Node does', () => {
    expect(packages.get('node_modules/a')?.dependsOn).toEqual([
      'node_modules/a/node_modules/b',
      'node_modules/c',
    ]);
    const places = new Set(packages.keys());
    expect(resolve('', 'b', places)).toBe('node_modules/b');
    expect(resolve('node_modules/a/node_modules/b', 'c', places)).toBe('node_modules/c');
    expect(resolve('node_modules/c', 'missing', places)).toBeUndefined();
  });
});

describe('licences', () => {
  it.each(['MIT', '(AFL-2.1 OR BSD-3-Clause)', 'GPL-2.0-only OR MIT', 'MIT AND ISC', 'MPL-2.0'])(
    'permits %s',
    (expression) => expect(isPermitted(expression)).toBe(true),
  );

  it.each([
    '',
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'LGPL-2.1',
    'BUSL-1.1',
    'SSPL-1.0',
    'UNLICENSED',
    'MIT AND GPL-2.0',
  ])('does not permit %j', (expression) => expect(isPermitted(expression)).toBe(false));

  it('names each package that is not permitted', () => {
    expect(licenceReport(productionPackages(LOCK).values()).forbidden).toEqual([
      'b@1.0.0 (BUSL-1.1)',
      '@s/c@3.0.0 (no licence)',
    ]);
  });

  it('permits every production package of this repository', () => {
    const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as LockFile;
    expect(licenceReport(productionPackages(lock).values()).forbidden).toEqual([]);
  });
});

describe('sbomOf', () => {
  const sbom = sbomOf({ name: 'plimsoll', version: '0.1.0' }, productionPackages(LOCK), ['node_modules/a']);

  it('describes each package once, with address, licence and hash', () => {
    expect(sbom.components).toHaveLength(5);
    expect(sbom.components[0]).toEqual({
      type: 'library',
      'bom-ref': 'pkg:npm/a@1.0.0',
      name: 'a',
      version: '1.0.0',
      purl: 'pkg:npm/a@1.0.0',
      licenses: [{ license: { id: 'MIT' } }],
      hashes: [{ alg: 'SHA-512', content: '000102' }],
    });
    expect(sbom.components[1]?.licenses).toEqual([{ expression: '(GPL-3.0-only OR MIT)' }]);
    expect(sbom.components[3]?.purl).toBe('pkg:npm/%40s/c@3.0.0');
  });

  it('names what each package depends on', () => {
    expect(sbom.dependencies.slice(0, 2)).toEqual([
      { ref: 'plimsoll@0.1.0', dependsOn: ['pkg:npm/a@1.0.0'] },
      { ref: 'pkg:npm/a@1.0.0', dependsOn: ['pkg:npm/b@2.0.0', 'pkg:npm/c@1.0.0'] },
    ]);
  });
});

describe('findSecrets', () => {
  // Joined here, so that this file holds no text that looks like a secret.
  const join = (...parts: string[]): string => parts.join('');
  it.each([
    ['private key', join('-----BEGIN ', 'PRIVATE KEY-----\n', 'A'.repeat(64))],
    ['AWS access key', join('AKIA', 'ABCDEFGHIJKLMNOP')],
    ['GitHub token', join('ghp_', 'a1'.repeat(18))],
    ['npm token', join('npm_', 'a1'.repeat(18))],
    ['Slack token', join('xoxb-', '1234567890-', 'abcdefghijkl')],
    ['Anthropic key', join('sk-ant-', 'a1'.repeat(20))],
    ['node with a key in its address', join('https://mainnet.infura.io', '/v3/', 'a1'.repeat(16))],
    ['signed token', join('eyJ', 'a'.repeat(20), '.eyJ', 'b'.repeat(20), '.', 'c'.repeat(20))],
    ['address with a password', join('postgres://app:', 'correct-horse-battery', '@db.internal')],
  ])('finds a %s and its line', (rule, secret) => {
    expect(findSecrets('file', `first\nsecond = ${secret}\n`)).toEqual([{ file: 'file', line: 2, rule }]);
  });

  it('accepts what documents and tests contain', () => {
    const text =
      'postgres://plimsoll:plimsoll@127.0.0.1 redis://user:${PASSWORD}@host 0xac0974bec39a17e36ba4a6b4d238ff94';
    expect(findSecrets('file', text)).toEqual([]);
  });
});

describe('findBytecode', () => {
  const codeOf = (artifact: string): string =>
    (JSON.parse(readFileSync(require.resolve(artifact), 'utf8')) as { bytecode: string }).bytecode;
  const venus = codeOf('@venusprotocol/isolated-pools/artifacts/contracts/VToken.sol/VToken.json');

  it.each([
    ['a large contract', venus],
    [
      'a small one',
      codeOf(
        '@venusprotocol/venus-protocol/artifacts/contracts/Tokens/VAI/VAIUnitroller.sol/VAIUnitroller.json',
      ),
    ],
  ])('finds %s and its line, compressed or not', (_, code) => {
    const content = Buffer.from(`{\n"code": "${code}"}`);
    expect(findBytecode('file.json', content)).toEqual([{ file: 'file.json', line: 2 }]);
    expect(findBytecode('file.json.gz', gzipSync(content))).toEqual([{ file: 'file.json.gz', line: 2 }]);
  });

  it('finds none in the files of this repository, except that of our own contracts', () => {
    const files = repositoryFiles(ROOT);
    const found = files.flatMap((file) => findBytecode(file, readFileSync(path.join(ROOT, file))));
    expect([...new Set(found.map(({ file }) => file))]).toEqual(Object.keys(OWN_BYTECODE));
    for (const spec of Object.values(OWN_BYTECODE)) expect(files).toContain(spec);
  });
});

describe('auditResult', () => {
  const report = (severity: string): string =>
    JSON.stringify({
      vulnerabilities: { a: { severity, range: '<2', fixAvailable: true } },
      metadata: { dependencies: { prod: 215 } },
    });

  it.each([
    ['moderate', true],
    ['high', false],
    ['critical', false],
  ])('judges a %s advisory', (severity, passed) => {
    expect(auditResult(report(severity))).toEqual({
      lines: [`a <2: ${severity}. Update it.`, 'npm audit: 215 packages, 1 advisories'],
      passed,
    });
  });

  it('prints NOT RUN for a registry without advisories, and passes', () => {
    const output = JSON.stringify({
      message: '405 Method Not Allowed - POST https://r',
      error: { summary: '' },
    });
    const { lines, passed } = auditResult(output);
    expect(passed).toBe(true);
    expect(lines).toEqual([
      'npm audit: NOT RUN: this registry serves no advisories (405 Method Not Allowed). Run it again with a registry that does.',
    ]);
    expect(auditResult('no network').lines[0]).toContain('NOT RUN');
  });
});
