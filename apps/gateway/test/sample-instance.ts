import { setTimeout as wait } from 'node:timers/promises';
import { Controller, Get, Module, Post } from '@nestjs/common';
import { ServiceConfig, bootstrapService } from '@plimsoll/service-kit';

const WORK_MS = 5;

@Controller('v1')
class SampleController {
  @Get('positions')
  async list(): Promise<object> {
    await wait(WORK_MS);
    return {};
  }

  @Post('wallets')
  async watch(): Promise<object> {
    await wait(WORK_MS);
    return {};
  }
}

@Module({ controllers: [SampleController] })
class SampleModule {}

class SampleConfig extends ServiceConfig {
  static override readonly service = 'positions';
}

void bootstrapService(SampleModule, SampleConfig);
