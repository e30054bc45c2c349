// One bundle for each app, with its own sources and the libraries of this repository. Packages stay in
// node_modules.
const { existsSync } = require('node:fs');
const path = require('node:path');
const rspack = require('@rspack/core');

/** @param {{ app: string }} env `--env app=NAME`: a folder of apps/ */
module.exports = (env) => {
  const root = path.join(__dirname, 'apps', env.app);
  if (!existsSync(path.join(root, 'src/main.ts')))
    throw new Error(`no apps/${env.app}/src/main.ts: pass --env app=<a folder of apps/>`);
  const optional = ['admin', 'worker'].filter((name) => existsSync(path.join(root, 'src', `${name}.ts`)));
  const copied = [
    { from: path.join(root, 'prisma/migrations'), to: 'migrations' },
    // The documentation of the gateway: its own files, and the pages that tools/docs-site wrote before this build.
    ...(existsSync(path.join(root, 'docs-page'))
      ? [path.join(root, 'docs-page'), path.join(__dirname, 'dist/docs-site')].map((from) => ({
          from,
          to: 'docs-page',
        }))
      : []),
    // The sandbox starts the other services with it.
    ...(env.app === 'sandbox'
      ? [{ from: path.join(__dirname, 'libs/local-parts/src/one-process.cjs'), to: 'one-process.cjs' }]
      : []),
    ...(env.app === 'gateway' ? [{ from: path.join(__dirname, 'dist/apps/portal'), to: 'portal' }] : []),
  ].filter(({ from }) => existsSync(from));
  return {
    target: 'node20',
    mode: 'none',
    devtool: 'nosources-source-map',
    context: root,
    entry: Object.fromEntries(['main', ...optional].map((name) => [name, `./src/${name}.ts`])),
    output: { path: path.join(__dirname, 'dist/apps', env.app), clean: true, library: { type: 'commonjs2' } },
    node: { __dirname: false, __filename: false },
    resolve: { extensions: ['.ts', '.js', '.json'], tsConfig: path.join(__dirname, 'tsconfig.base.json') },
    externals: [
      ({ request }, done) =>
        /^(\.|\/|@plimsoll\/)/.test(request) ? done() : done(null, `commonjs ${request}`),
    ],
    module: {
      // Packages stay in node_modules, and their files are found there at run time.
      parser: { javascript: { requireResolve: false, requireDynamic: false, requireAsExpression: false } },
      rules: [
        {
          test: /\.ts$/,
          loader: 'builtin:swc-loader',
          options: {
            jsc: {
              parser: { syntax: 'typescript', decorators: true },
              transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
              target: 'es2022',
              keepClassNames: true,
            },
          },
        },
      ],
    },
    plugins: copied.length > 0 ? [new rspack.CopyRspackPlugin({ patterns: copied })] : [],
    stats: 'errors-warnings',
  };
};
