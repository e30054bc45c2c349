import { parentPort } from 'node:worker_threads';

// Dies of the first thing that it is told.
parentPort?.on('message', () => {
  throw new Error('the thread dies');
});
