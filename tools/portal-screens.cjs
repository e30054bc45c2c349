#!/usr/bin/env node
// npm run portal:screens -- FOLDER: runs the tests of the portal, which then also take a picture of every page at 360, 768 and
// 1,440 pixels in both themes.
const path = require('node:path');
const { runSuite } = require('./suite.cjs');

const [folder] = process.argv.slice(2);
if (!folder || folder.startsWith('-')) {
  console.log('usage: npm run portal:screens -- FOLDER');
  process.exit(folder === '--help' ? 0 : 2);
}
runSuite('test/portal', { env: { PORTAL_SCREENS: path.resolve(folder) } });
