// Runs forge on contracts/: its root is the repository (that is where node_modules is), its config is in contracts/.
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { CONTRACTS, ROOT } = require('./paths.cjs');

/** Runs `forge ARGS` to its end. @param options.root another root, with the same layout @returns {status, output} */
function forge(args, { root = ROOT, capture = false, env = {} } = {}) {
  const { status, stdout, stderr, error } = spawnSync(
    path.join(ROOT, 'node_modules/.bin/forge'),
    [...args, '--root', root],
    {
      cwd: root,
      env: {
        ...process.env,
        FOUNDRY_CONFIG: path.join(root, path.relative(ROOT, CONTRACTS), 'foundry.toml'),
        FOUNDRY_DISABLE_NIGHTLY_WARNING: '1',
        ...env,
      },
      stdio: capture ? 'pipe' : 'inherit',
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (error) throw error;
  return { status, output: `${stdout ?? ''}${stderr ?? ''}` };
}

module.exports = { forge };
