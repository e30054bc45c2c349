/** The arguments of Node for every contender: as the README of streams says, and as `npm start` runs it. */
export const NODE_ARGS: readonly string[] = ['--max-semi-space-size=4'];
