import { Global, Module } from '@nestjs/common';
import { Clock } from '../clock';
import { PrismaService } from './prisma.service';

/** Providers that every feature may use. */
@Global()
@Module({
  providers: [Clock, PrismaService],
  exports: [Clock, PrismaService],
})
export class InfrastructureModule {}
