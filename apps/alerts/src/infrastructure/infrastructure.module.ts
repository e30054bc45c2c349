import { Global, Module } from '@nestjs/common';
import { PrismaService } from './prisma.service';

/** The Prisma client, for every feature. */
@Global()
@Module({
  providers: [PrismaService],
  exports: [PrismaService],
})
export class InfrastructureModule {}
