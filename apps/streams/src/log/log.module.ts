import { Module } from '@nestjs/common';
import { EndedAccess } from './ended-access';
import { History } from './history';
import { Logs } from './logs';
import { Positions } from './positions';
import { LogThread } from './thread/log-thread';
import { Watches } from './watches';

const PROVIDERS = [EndedAccess, History, Logs, LogThread, Positions, Watches];

/** The events of the window, and what the service knows about access, positions and watches. */
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class LogModule {}
