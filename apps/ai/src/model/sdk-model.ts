import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  AISDKError,
  APICallError,
  type LanguageModel,
  NoObjectGeneratedError,
  Output,
  extractJsonMiddleware,
  generateText,
  wrapLanguageModel,
} from 'ai';
import type { DraftAnswer } from '../facts/draft-answer';
import { boundedFetch } from './bounded-fetch';
import { DRAFT_SCHEMA, type ModelDraft } from './draft-schema';
import { ModelFailure } from './model-failure';
import type { ModelPort, Prompt, TokenUsage, Written } from './model-port';
import type { ModelConfig } from './model.config';

type Settings = Pick<
  ModelConfig,
  'AI_PROVIDER' | 'AI_MODEL' | 'AI_BASE_URL' | 'AI_API_KEY' | 'AI_JSON_SCHEMA' | 'AI_MAX_OUTPUT_TOKENS'
>;

/** The configured model through the ai SDK. */
export class SdkModel implements ModelPort {
  private readonly model: LanguageModel;
  private readonly maxOutputTokens: number;

  constructor(settings: Settings) {
    // Its warnings go to the console, which is the log.
    (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
    this.model = wrapLanguageModel({ model: providerModel(settings), middleware: extractJsonMiddleware() });
    this.maxOutputTokens = settings.AI_MAX_OUTPUT_TOKENS;
  }

  async write({ system, user }: Prompt, signal: AbortSignal): Promise<Written> {
    try {
      const { output, usage } = await generateText({
        model: this.model,
        system,
        prompt: user,
        output: Output.object({ schema: DRAFT_SCHEMA, name: 'answer' }),
        maxOutputTokens: this.maxOutputTokens,
        maxRetries: 0,
        abortSignal: signal,
      });
      return { draft: draftOf(output), usage: usageOf(usage) };
    } catch (error) {
      throw failureOf(error, signal);
    }
  }
}

function providerModel({ AI_PROVIDER, AI_MODEL, AI_BASE_URL, AI_API_KEY, AI_JSON_SCHEMA }: Settings) {
  if (AI_PROVIDER === 'anthropic') {
    const baseURL = AI_BASE_URL === '' ? {} : { baseURL: AI_BASE_URL };
    return createAnthropic({ apiKey: AI_API_KEY, fetch: boundedFetch, ...baseURL })(AI_MODEL);
  }
  return createOpenAICompatible({
    name: 'configured',
    baseURL: AI_BASE_URL,
    supportsStructuredOutputs: AI_JSON_SCHEMA,
    fetch: boundedFetch,
    ...(AI_API_KEY !== '' && { apiKey: AI_API_KEY }),
  })(AI_MODEL);
}

function draftOf({ claims, cannotAnswer }: ModelDraft): DraftAnswer {
  return {
    claims: claims.map(({ text, factIds, section }) => ({
      text,
      factIds,
      ...(section !== null && { section }),
    })),
    cannotAnswer,
  };
}

/** Null: the provider does not report it. */
function usageOf(
  usage: { inputTokens: number | undefined; outputTokens: number | undefined } | undefined,
): TokenUsage | null {
  if (usage?.inputTokens === undefined || usage.outputTokens === undefined) return null;
  return { input: usage.inputTokens, output: usage.outputTokens };
}

function failureOf(error: unknown, signal: AbortSignal): ModelFailure {
  if (signal.aborted) {
    const { name } = signal.reason as Error;
    return new ModelFailure(name === 'TimeoutError' ? 'late' : 'left');
  }
  if (NoObjectGeneratedError.isInstance(error)) {
    const usage = usageOf(error.usage);
    return new ModelFailure('broken_draft', usage === null ? {} : { usage });
  }
  if (!APICallError.isInstance(error)) {
    return new ModelFailure(AISDKError.isInstance(error) ? 'broken_draft' : 'unreachable');
  }
  const { statusCode: status, responseHeaders } = error;
  if (status === undefined) return new ModelFailure('unreachable');
  if (status >= 200 && status < 300) return new ModelFailure('broken_draft', { status });
  const usage = { input: 0, output: 0 };
  if (status === 429) {
    return new ModelFailure('rate_limited', { status, usage, retryAfterMs: retryAfterMs(responseHeaders) });
  }
  if (status < 500) return new ModelFailure('refused', { status, usage });
  return new ModelFailure('failed', { status, usage, retryAfterMs: retryAfterMs(responseHeaders) });
}

function retryAfterMs(headers: Record<string, string> | undefined): number {
  const seconds = Number(headers?.['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0;
}
