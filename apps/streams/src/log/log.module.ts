import { Module } from '@nestjs/common';
import { EndedKeys } from './ended-keys';
import { History } from './history';
import { Logs } from './logs';
import { Positions } from './positions';
import { LogThread } from './thread/log-thread';
import { Watches } from './watches';

const PROVIDERS = [EndedKeys, History, Logs, LogThread, Positions, Watches];

/** The events of the window, and what the service knows about keys, positions and watches. */
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class LogModule {}
