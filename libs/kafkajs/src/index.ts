import { patchTimers } from './patch-timers';

patchTimers();

export * from 'kafkajs';
