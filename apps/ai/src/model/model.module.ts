import { Module } from '@nestjs/common';
import { AiConfig } from '../config';
import { ModelBudget } from './model-budget';
import { ModelCalls } from './model-calls';
import { MODEL_PORT, type ModelPort } from './model-port';
import { UsageRepository } from './usage.repository';

/** The configured language model within its budget. Without a model, MODEL_PORT is null. */
@Module({
  providers: [
    {
      provide: MODEL_PORT,
      inject: [AiConfig],
      // The packages of the providers take a quarter of a second, so they load only where a model is configured.
      useFactory: async (config: AiConfig): Promise<ModelPort | null> => {
        if (config.AI_PROVIDER === '') return null;
        const { SdkModel } = await import(/* webpackMode: "eager" */ './sdk-model');
        return new SdkModel(config);
      },
    },
    ModelBudget,
    ModelCalls,
    UsageRepository,
  ],
  exports: [ModelBudget, ModelCalls],
})
export class ModelModule {}
