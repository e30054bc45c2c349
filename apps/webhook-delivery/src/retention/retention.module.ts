import { Module } from '@nestjs/common';
import { RetentionRepository } from './retention.repository';
import { RetentionService } from './retention.service';

/** Deletes old deliveries, deleted endpoints and expired secrets. */
@Module({ providers: [RetentionRepository, RetentionService] })
export class RetentionModule {}
