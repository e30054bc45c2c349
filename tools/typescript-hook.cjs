// Lets require load the TypeScript of this repository, and its libraries by their names. The launcher of npm
// start uses it instead of @swc-node/register, which loads the TypeScript compiler and uses 41 MB as long as
// the stack runs.
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { transformSync } = require('@swc/core');

const root = path.join(__dirname, '..');
const LIBRARY = /^@plimsoll\/([^/]+?)(\/math)?$/;

const resolve = Module._resolveFilename;
Module._resolveFilename = function resolveLibrary(request, ...rest) {
  const [, library, entry = '/index'] = LIBRARY.exec(request) ?? [];
  return library ? path.join(root, 'libs', library, `src${entry}.ts`) : resolve.call(this, request, ...rest);
};

require.extensions['.ts'] = (module, file) => {
  // Options are those of .swcrc.
  const { code } = transformSync(readFileSync(file, 'utf8'), { filename: file, root, cwd: root });
  module._compile(code, file);
};

if (!existsSync(path.join(root, '.swcrc')))
  throw new Error('.swcrc is missing: check the repository out again');
process.setSourceMapsEnabled(true);
