import { Module } from '@nestjs/common';
import { idempotencyProviders } from '@plimsoll/service-kit';
import { SandboxKeeper } from './sandbox-keeper';
import { Sandboxes } from './sandboxes';
import { SandboxesRepository } from './sandboxes.repository';
import { TestModeController } from './test-mode.controller';

@Module({
  controllers: [TestModeController],
  providers: [SandboxKeeper, Sandboxes, SandboxesRepository, ...idempotencyProviders()],
  exports: [Sandboxes],
})
export class SandboxesModule {}
