// One bundle for each embedded part (libs/local-broker, libs/local-redis): it starts in a fraction of a second and keeps its
// memory for the data. Packages stay in node_modules.
const path = require('node:path');

/** @param {{ part: string }} env `--env part=NAME`: a folder of libs/ with src/bin/main.ts */
module.exports = ({ part }) => ({
  target: 'node20',
  mode: 'none',
  devtool: false,
  context: path.join(__dirname, 'libs', part),
  entry: { main: './src/bin/main.ts' },
  output: { path: path.join(__dirname, 'dist/libs', part), clean: true, library: { type: 'commonjs2' } },
  resolve: { extensions: ['.ts', '.js'] },
  externals: [({ request }, done) => (/^(\.|\/)/.test(request) ? done() : done(null, `commonjs ${request}`))],
  module: {
    rules: [
      {
        test: /\.ts$/,
        loader: 'builtin:swc-loader',
        options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2022', keepClassNames: true } },
      },
    ],
  },
  stats: 'errors-warnings',
});
