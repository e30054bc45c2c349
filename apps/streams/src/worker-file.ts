import { workerFile } from '@plimsoll/service-kit';

/** How this service's threads are started. */
export const WORKER = workerFile(__dirname);
