import { parentPort } from 'node:worker_threads';
import type { Job } from './pool/job';
import { runJob } from './pool/run-job';

parentPort?.on('message', (job: Job) => parentPort?.postMessage(runJob(job), []));
