// node tools/compile-contracts.cjs: compiles the contracts that npm start deploys into the cache in node_modules.
require('./typescript-hook.cjs');
const { morphoArtifacts, venueArtifact, venusArtifacts } = require('@plimsoll/devnet');

morphoArtifacts();
venusArtifacts();
venueArtifact();
