import type { Provider } from '@nestjs/common';
import { AiConfig } from '../config';
import { ModelBudget } from './model-budget';
import { ModelCalls } from './model-calls';
import { MODEL_PORT, type ModelPort } from './model-port';
import { SdkModel } from './sdk-model';
import { UsageRepository } from './usage.repository';

/** The providers of answers that the configured model writes. */
export const MODEL_PROVIDERS: Provider[] = [
  {
    provide: MODEL_PORT,
    inject: [AiConfig],
    useFactory: (config: AiConfig): ModelPort | null =>
      config.AI_PROVIDER === '' ? null : new SdkModel(config),
  },
  UsageRepository,
  ModelBudget,
  ModelCalls,
];
