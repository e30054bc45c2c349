// One file without any package: the broker starts in a fraction of a second and keeps its memory for the log.
const path = require('node:path');

const root = path.join(__dirname, '../..');
module.exports = {
  target: 'node20',
  mode: 'none',
  devtool: false,
  context: __dirname,
  entry: { main: './src/bin/main.ts' },
  output: { path: path.join(root, 'dist/libs/local-broker'), clean: true, library: { type: 'commonjs2' } },
  resolve: { extensions: ['.ts', '.js'] },
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
};
