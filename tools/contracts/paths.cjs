// The folders of the contracts and of their outputs.
const path = require('node:path');

const ROOT = path.join(__dirname, '../..');
const CONTRACTS = path.join(ROOT, 'contracts');
/** Outputs of tools for the contracts. Git ignores them. */
const LOCAL = path.join(ROOT, '.local/contracts');

module.exports = { ROOT, CONTRACTS, LOCAL };
