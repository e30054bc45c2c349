// Completes package-lock.json with the optional packages of platforms other than this one.
// A registry mirror that carries only one platform returns 404 for the others. npm then leaves them out of the lock
// file, and `npm ci` rejects it everywhere. The names contain the platform. Their entries need no more than that,
// because a package for another platform is never fetched. Run it after `npm install`; --check only reports.
const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const OS = new Set([
  'darwin',
  'linux',
  'win32',
  'freebsd',
  'android',
  'openharmony',
  'aix',
  'sunos',
  'netbsd',
  'openbsd',
  'linuxmusl',
]);
const CPU = {
  x64: 'x64',
  amd64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  armv7: 'arm',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  loong64: 'loong64',
  mips64el: 'mips64el',
  wasm32: 'wasm32',
};

/** The os, cpu and libc in a name such as `@swc/core-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.replace('linuxmusl', 'linux-musl').split(/[^a-z0-9]+/);
  const os = words.filter((word) => OS.has(word));
  const cpu = words.map((word) => CPU[word]).filter(Boolean);
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : [];
  return { ...(cpu.length && { cpu }), ...(libc.length && { libc }), ...(os.length && { os }) };
}

function missingEntries(lock) {
  const missing = {};
  for (const entry of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const at = `node_modules/${name}`;
      const platform = platformOf(name);
      if (lock.packages[at] || !(platform.os || platform.cpu)) continue;
      missing[at] = {
        version: version.replace(/^[~^]/, ''),
        ...(entry.dev && { dev: true }),
        optional: true,
        ...platform,
      };
    }
  }
  return missing;
}

const [flag] = process.argv.slice(2);
if (flag === '--help') {
  console.log('usage: node tools/complete-lock.cjs [--check]');
  process.exit(0);
}
const file = path.join(__dirname, '../package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const missing = missingEntries(lock);
const names = Object.keys(missing);
if (flag === '--check') {
  console.log(
    names.length === 0
      ? 'The lock file is complete.'
      : `Missing ${names.length}, run: node tools/complete-lock.cjs`,
  );
  process.exit(names.length === 0 ? 0 : 1);
}
const packages = { ...lock.packages, ...missing };
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`Added ${names.length} optional packages of other platforms.`);
