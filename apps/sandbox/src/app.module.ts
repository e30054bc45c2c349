import { Module } from '@nestjs/common';
import { DatabaseModule, IDEMPOTENCY_MIGRATION, migrationsFolder } from '@plimsoll/service-kit';
import { ForwardingModule } from './forwarding/forwarding.module';
import { PrismaClient } from './generated/prisma/client';
import { SandboxesModule } from './sandboxes/sandboxes.module';

@Module({
  imports: [
    DatabaseModule.forSchema('sandbox', migrationsFolder(__dirname), {
      client: PrismaClient,
      library: [IDEMPOTENCY_MIGRATION],
    }),
    SandboxesModule,
    ForwardingModule,
  ],
})
export class AppModule {}
