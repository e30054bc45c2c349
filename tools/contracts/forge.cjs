// Runs forge on contracts/. Its root is the repository (because of node_modules), and its config is in
// contracts/.
const { spawn } = require('node:child_process');
const path = require('node:path');
const { CONTRACTS, ROOT } = require('./paths.cjs');

/** The binary itself: npm's wrapper does not return the exit status, so that failing tests would pass. */
const FORGE = require.resolve(
  `@foundry-rs/forge-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}/bin/forge`,
);

/**
 * Runs `forge ARGS` to its end.
 * @param options.root another root, with the same layout
 * @param options.capture captures its output instead of showing it
 * @returns {Promise<{status: number, output: string}>}
 */
function forge(args, { root = ROOT, capture = false, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(FORGE, [...args, '--root', root], {
      cwd: root,
      env: {
        ...process.env,
        FOUNDRY_CONFIG: path.join(root, path.relative(ROOT, CONTRACTS), 'foundry.toml'),
        FOUNDRY_DISABLE_NIGHTLY_WARNING: '1',
        ...env,
      },
      stdio: capture ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status: status ?? 1, output }));
  });
}

module.exports = { FORGE, forge };
