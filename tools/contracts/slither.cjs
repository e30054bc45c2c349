// npm run contracts:slither: reads contracts/src with slither and fails on every finding that contracts/slither.config.json
// does not leave out with a reason in docs/execution-contract.md.
//
// Slither is a Python package: it goes into .local/slither on the first run. Where that cannot be had (no Python, no
// venv, no network) this says so and passes, unless SLITHER=required.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const path = require('node:path');
const { CONTRACTS, LOCAL, ROOT } = require('./paths.cjs');

const VERSION = '0.11.6';
const VENV = path.join(ROOT, '.local/slither');
const SLITHER = path.join(VENV, 'bin/slither');
const INSTALL_DEADLINE_MS = 300_000;
const RUN_DEADLINE_MS = 600_000;

/** @returns why slither cannot be had, or undefined when it is there */
function install() {
  const isThere = existsSync(SLITHER) && spawnSync(SLITHER, ['--version'], { encoding: 'utf8' }).stdout;
  if (isThere && isThere.trim() === VERSION) return undefined;
  for (const [command, ...args] of [
    ['python3', '-m', 'venv', '--clear', VENV],
    [
      path.join(VENV, 'bin/pip'),
      'install',
      '--quiet',
      '--disable-pip-version-check',
      `slither-analyzer==${VERSION}`,
    ],
  ]) {
    const { status, error, stderr } = spawnSync(command, args, {
      encoding: 'utf8',
      timeout: INSTALL_DEADLINE_MS,
    });
    if (error) return `${command}: ${error.message}`;
    if (status !== 0) return `${command} ${args.join(' ')}: ${stderr.trim().split('\n').at(-1)}`;
  }
  return undefined;
}

function main(args) {
  if (args.includes('--help')) {
    console.log(
      'usage: npm run contracts:slither   (SLITHER=required: fail where slither cannot be installed)',
    );
    return 0;
  }
  const missing = install();
  if (missing !== undefined) {
    const isRequired = process.env.SLITHER === 'required';
    console.error(`*** SLITHER HAS NOT RUN: it cannot be installed here (${missing}) ***`);
    return isRequired ? 1 : 0;
  }
  const { status, error } = spawnSync(
    SLITHER,
    ['.', '--config-file', path.join(CONTRACTS, 'slither.config.json'), '--fail-pedantic'],
    {
      cwd: ROOT,
      stdio: 'inherit',
      timeout: RUN_DEADLINE_MS,
      env: {
        ...process.env,
        PATH: [path.join(VENV, 'bin'), path.join(ROOT, 'node_modules/.bin'), process.env.PATH].join(
          path.delimiter,
        ),
        FOUNDRY_CONFIG: path.join(CONTRACTS, 'foundry.toml'),
        // Slither reads what the compiler says of every source: what forge kept would lack a part of it.
        FOUNDRY_OUT: path.join(LOCAL, 'slither/out'),
        FOUNDRY_CACHE_PATH: path.join(LOCAL, 'slither/cache'),
      },
    },
  );
  if (error) throw error;
  return status;
}

process.exitCode = main(process.argv.slice(2));
