import { Module } from '@nestjs/common';
import { idempotencyProviders } from '@plimsoll/service-kit';
import { SandboxKeeper } from './sandbox-keeper';
import { SandboxSweeper } from './sandbox-sweeper';
import { SandboxTopics } from './sandbox-topics';
import { Sandboxes } from './sandboxes';
import { SandboxesRepository } from './sandboxes.repository';
import { TestModeController } from './test-mode.controller';

@Module({
  controllers: [TestModeController],
  providers: [
    SandboxKeeper,
    SandboxSweeper,
    SandboxTopics,
    Sandboxes,
    SandboxesRepository,
    ...idempotencyProviders(),
  ],
  exports: [Sandboxes],
})
export class SandboxesModule {}
