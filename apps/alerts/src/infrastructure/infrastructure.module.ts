import { Global, Module } from '@nestjs/common';
import { PrismaService } from './prisma.service';

/** What every feature may use. */
@Global()
@Module({
  providers: [PrismaService],
  exports: [PrismaService],
})
export class InfrastructureModule {}
