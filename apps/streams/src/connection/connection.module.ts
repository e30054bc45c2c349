import { Module } from '@nestjs/common';
import { Connections } from './connections';

/** The open connections with their subscriptions. */
@Module({ providers: [Connections], exports: [Connections] })
export class ConnectionModule {}
