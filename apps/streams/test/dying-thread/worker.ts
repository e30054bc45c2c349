import { parentPort } from 'node:worker_threads';

// Dies at its first command.
parentPort?.on('message', () => {
  throw new Error('the thread dies');
});
