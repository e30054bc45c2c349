import { workerFile } from '@plimsoll/service-kit';

/** The file of this service's threads. */
export const WORKER = workerFile(__dirname);
