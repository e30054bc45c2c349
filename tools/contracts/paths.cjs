// Where the contracts and what is made of them lie.
const path = require('node:path');

const ROOT = path.join(__dirname, '../..');
const CONTRACTS = path.join(ROOT, 'contracts');
/** Everything that tools make of the contracts; git ignores it. */
const LOCAL = path.join(ROOT, '.local/contracts');

module.exports = { ROOT, CONTRACTS, LOCAL };
