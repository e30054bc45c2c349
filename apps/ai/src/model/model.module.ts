import { Module } from '@nestjs/common';
import { AiConfig } from '../config';
import { ModelBudget } from './model-budget';
import { ModelCalls } from './model-calls';
import { MODEL_PORT, type ModelPort } from './model-port';
import { SdkModel } from './sdk-model';
import { UsageRepository } from './usage.repository';

/** The configured language model within its budget. Without a model, MODEL_PORT is null. */
@Module({
  providers: [
    {
      provide: MODEL_PORT,
      inject: [AiConfig],
      useFactory: (config: AiConfig): ModelPort | null =>
        config.AI_PROVIDER === '' ? null : new SdkModel(config),
    },
    ModelBudget,
    ModelCalls,
    UsageRepository,
  ],
  exports: [ModelBudget, ModelCalls],
})
export class ModelModule {}
