import { Module } from '@nestjs/common';
import { Connections } from './connections';
import { FilterNames } from './filter-names';

/** The open connections with their subscriptions, and the names in their filters. */
@Module({ providers: [Connections, FilterNames], exports: [Connections, FilterNames] })
export class ConnectionModule {}
