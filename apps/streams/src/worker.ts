import { parentPort } from 'node:worker_threads';
import { hostReaders } from './log/thread/reader-host';

if (parentPort) hostReaders(parentPort);
