// node tools/fetch-venus.cjs: writes the bytecode of Venus's pools as Venus published it: that of an isolated pool, which the
// devnet has, to libs/devnet/src/venus/fetched.json, that of the core pool to libs/devnet/src/venus-core/fetched.json.
// The packages are fetched with npm and compared with the integrity that is named beside their versions.
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
const { VENUS_CORE_FOLDERS, VENUS_CORE_PACKAGE } = require('../libs/devnet/src/venus-core/artifacts.ts');
const { compileSolidity, solidityHash } = require('../libs/devnet/src/solidity/compile.ts');

/** The artifacts that `folders` names, by contract. */
function fetchArtifacts({ name, version, integrity }, folders) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'venus-'));
  try {
    console.log(`fetching ${name}@${version} (over 50 MB)`);
    execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder });
    const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'));
    const digest = createHash('sha512')
      .update(readFileSync(path.join(folder, archive)))
      .digest('base64');
    if (`sha512-${digest}` !== integrity)
      throw new Error(`${name}@${version} is not what ${integrity} names`);
    const files = Object.entries(folders).map(
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
    return Object.fromEntries(fetched);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(file, content) {
  writeFileSync(path.join(root, file), `${JSON.stringify(content)}\n`);
  console.log(`${file} is of ${Object.keys(content.artifacts).join(', ')}`);
}

write('libs/devnet/src/venus/fetched.json', {
  package: VENUS_PACKAGE,
  oracleHash: solidityHash(VENUS_ORACLE_INPUT),
  artifacts: {
    ...fetchArtifacts(VENUS_PACKAGE, VENUS_FOLDERS),
    VenusFeedOracle: compileSolidity(VENUS_ORACLE_INPUT).VenusFeedOracle,
  },
});
write('libs/devnet/src/venus-core/fetched.json', {
  package: VENUS_CORE_PACKAGE,
  artifacts: fetchArtifacts(VENUS_CORE_PACKAGE, VENUS_CORE_FOLDERS),
});
