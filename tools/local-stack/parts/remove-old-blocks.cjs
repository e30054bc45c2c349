// node remove-old-blocks.cjs FILE NEWEST: removes all blocks but the newest from the state of a chain.
require('../../typescript-hook.cjs');
const { removeOldBlocks } = require('./chain-state.ts');

const [file, newest] = process.argv.slice(2);
removeOldBlocks(file, Number(newest));
