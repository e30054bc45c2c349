// npm run tool -- contracts:slither: analyses contracts/src with slither and fails on every finding that
// contracts/slither.config.json does not exclude with a reason in docs/architecture/execution-contract.md.
//
// Slither is a Python package. The first run installs it into .local/slither. If that fails (no Python, no
// venv, no network), this reports it and passes, unless SLITHER=required.
const { spawnSync } = require('node:child_process');
const { existsSync, rmSync } = require('node:fs');
const path = require('node:path');
const { FORGE, forge } = require('./forge.cjs');
const { CONTRACTS, LOCAL, ROOT } = require('./paths.cjs');

const VERSION = '0.11.6';
const VENV = path.join(ROOT, '.local/slither');
const SLITHER = path.join(VENV, 'bin/slither');
const INSTALL_DEADLINE_MS = 300_000;
const RUN_DEADLINE_MS = 600_000;
const OUT = path.join(LOCAL, 'slither/out');
/** The executors, their parts, and the interfaces. */
const FEWEST_CONTRACTS = 15;

/** @returns why slither is not available, or undefined when it is */
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

async function main(args) {
  if (args.includes('--help')) {
    console.log(
      'usage: npm run tool -- contracts:slither   (SLITHER=required: fail where slither cannot be installed)',
    );
    return 0;
  }
  const missing = install();
  if (missing !== undefined) {
    const isRequired = process.env.SLITHER === 'required';
    console.error(`*** SLITHER HAS NOT RUN: it cannot be installed here (${missing}) ***`);
    return isRequired ? 1 : 0;
  }
  // Compiled here, because slither searches foundry.toml only in the root. It reads the output.
  rmSync(OUT, { recursive: true, force: true });
  const compiled = await forge(['build', '--force', '--build-info', '--out', OUT, 'contracts/src'], {
    env: { FOUNDRY_CACHE_PATH: path.join(LOCAL, 'slither/cache') },
  });
  if (compiled.status !== 0) return compiled.status;
  const config = path.join(CONTRACTS, 'slither.config.json');
  const { status, error, stderr } = spawnSync(
    SLITHER,
    [CONTRACTS, '--ignore-compile', '--foundry-out-directory', OUT, '--config-file', config],
    {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'pipe'],
      encoding: 'utf8',
      timeout: RUN_DEADLINE_MS,
      // It runs forge to read its config.
      env: { ...process.env, PATH: `${path.dirname(FORGE)}${path.delimiter}${process.env.PATH}` },
    },
  );
  if (error) throw error;
  process.stderr.write(stderr);
  // Slither passes with nothing to analyse.
  const analyzed = Number(/analyzed \((\d+) contracts/.exec(stderr)?.[1] ?? 0);
  if (analyzed < FEWEST_CONTRACTS) {
    console.error(`slither analysed ${analyzed} contracts, which are not all of contracts/src`);
    return 1;
  }
  return status;
}

void main(process.argv.slice(2)).then((status) => (process.exitCode = status));
