// One bundle an app: its own sources and the libraries of this repository; packages stay in node_modules.
const { existsSync } = require('node:fs');
const path = require('node:path');
const rspack = require('@rspack/core');

/** @param {{ app: string }} env `--env app=NAME`: a folder of apps/ */
module.exports = (env) => {
  const root = path.join(__dirname, 'apps', env.app);
  if (!existsSync(path.join(root, 'src/main.ts')))
    throw new Error(`no apps/${env.app}/src/main.ts: pass --env app=<a folder of apps/>`);
  const optional = ['admin'].filter((name) => existsSync(path.join(root, 'src', `${name}.ts`)));
  const migrations = path.join(root, 'prisma/migrations');
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
    plugins: existsSync(migrations)
      ? [new rspack.CopyRspackPlugin({ patterns: [{ from: migrations, to: 'migrations' }] })]
      : [],
    stats: 'errors-warnings',
  };
};
