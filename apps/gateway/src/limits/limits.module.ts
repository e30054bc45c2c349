import { Module } from '@nestjs/common';
import { ClientAddresses } from './client-address';
import { RateLimiter } from './rate-limiter';

@Module({ providers: [ClientAddresses, RateLimiter], exports: [ClientAddresses, RateLimiter] })
export class LimitsModule {}
