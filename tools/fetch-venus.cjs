// node tools/fetch-venus.cjs: writes libs/devnet/src/venus/fetched.json, the bytecode of a pool as Venus published it.
// The package is fetched with npm and compared with the integrity that is named beside its version.
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const root = path.join(__dirname, '..');
process.chdir(root);
process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');
require('@swc-node/register');

const { VENUS_FOLDERS, VENUS_ORACLE_INPUT, VENUS_PACKAGE } = require('../libs/devnet/src/venus/artifacts.ts');
const { compileSolidity, solidityHash } = require('../libs/devnet/src/solidity/compile.ts');

const { name, version, integrity } = VENUS_PACKAGE;
const folder = mkdtempSync(path.join(os.tmpdir(), 'venus-'));
try {
  console.log(`fetching ${name}@${version} (52 MB)`);
  execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder });
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  const digest = createHash('sha512')
    .update(readFileSync(path.join(folder, archive)))
    .digest('base64');
  if (`sha512-${digest}` !== integrity) throw new Error(`${name}@${version} is not what ${integrity} names`);
  const files = Object.entries(VENUS_FOLDERS).map(
    ([contract, where]) => `package/artifacts/${where}/${contract}.sol/${contract}.json`,
  );
  execFileSync('tar', ['xzf', archive, ...files], { cwd: folder });
  const fetched = files.map((file) => {
    const { contractName, abi, bytecode, linkReferences } = JSON.parse(
      readFileSync(path.join(folder, file), 'utf8'),
    );
    const used = abi.filter(({ type }) => type === 'function' || type === 'constructor');
    return [contractName, { abi: used, bytecode, linkReferences }];
  });
  const artifacts = {
    ...Object.fromEntries(fetched),
    VenusFeedOracle: compileSolidity(VENUS_ORACLE_INPUT).VenusFeedOracle,
  };
  const file = path.join(root, 'libs/devnet/src/venus/fetched.json');
  const content = { package: VENUS_PACKAGE, oracleHash: solidityHash(VENUS_ORACLE_INPUT), artifacts };
  writeFileSync(file, `${JSON.stringify(content)}\n`);
  console.log(`${path.relative(root, file)} is of ${Object.keys(artifacts).join(', ')}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
