// The local Redis as a process of its own; `--help` says how.
require('@swc-node/register');
require('./src/main.ts');
