import { workerFile } from '@plimsoll/service-kit';

/** The file and options of this service's threads. */
export const WORKER = workerFile(__dirname);
