import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Job } from './pool/job';
import type { ThreadOptions } from './pool/simulation-thread';
import { runJob } from './pool/run-job';

if (!(workerData as ThreadOptions).isForShort) yieldToOtherThreads();

parentPort?.on('message', (job: Job) => parentPort?.postMessage(runJob(job), []));

/**
 * Lets requests and short simulations use the processor first. On Linux, the priority belongs to the thread. Elsewhere
 * it would be that of the whole process.
 */
function yieldToOtherThreads(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may forbid it. The thread then competes like the others.
  }
}
