// One mutant for each safety of contracts/src.
const { POLICY_MUTANTS } = require('./mutants-of-policies.cjs');
const { RUN_MUTANTS } = require('./mutants-of-runs.cjs');

module.exports = { MUTANTS: [...POLICY_MUTANTS, ...RUN_MUTANTS] };
