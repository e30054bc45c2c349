import path from 'node:path';

/** The program that runs several built services in one process. Its comment states its variables. */
export const ONE_PROCESS_FILE = path.join(__dirname, 'one-process.cjs');
