import { DatabaseConfig, IsIntegerIn } from '@plimsoll/service-kit';
import { IsBoolean, IsIn, IsNumber, Matches, Min, ValidateIf } from 'class-validator';

export const PROVIDERS = ['openai-compatible', 'anthropic'] as const;

const isWanted = ({ AI_PROVIDER, AI_MODEL, AI_BASE_URL, AI_API_KEY }: ModelConfig): boolean =>
  [AI_PROVIDER, AI_MODEL, AI_BASE_URL, AI_API_KEY].some((value) => value !== '');

/**
 * Variables of the language model. Without AI_PROVIDER and the others there is none, and the templates write
 * the answers.
 */
export class ModelConfig extends DatabaseConfig {
  /** The interface of the model. Empty: no model is used. */
  @ValidateIf(isWanted)
  @IsIn(PROVIDERS)
  AI_PROVIDER: string = '';

  /** Name of the model at its provider. */
  @ValidateIf(isWanted)
  @Matches(/^[\w.:/@+-]{1,200}$/, { message: 'must be the name of a model' })
  AI_MODEL: string = '';

  /**
   * Address of the API, with its version: http://127.0.0.1:11434/v1. Required for openai-compatible. It may
   * be on the loopback.
   */
  @ValidateIf(
    ({ AI_PROVIDER, AI_BASE_URL }: ModelConfig) => AI_PROVIDER === 'openai-compatible' || AI_BASE_URL !== '',
  )
  @Matches(/^https?:\/\/[^\s@?#]+$/, {
    message: 'must be an http:// address without user, query and fragment',
  })
  AI_BASE_URL: string = '';

  /** Required for anthropic. Self-hosted openai-compatible servers may need none. */
  @ValidateIf(({ AI_PROVIDER, AI_API_KEY }: ModelConfig) => AI_PROVIDER === 'anthropic' || AI_API_KEY !== '')
  @Matches(/^[\x21-\x7e]{8,500}$/, { message: 'must be a key of 8 characters or more, without spaces' })
  AI_API_KEY: string = '';

  /** False for openai-compatible servers that support `json_object` but no JSON schema. */
  @IsBoolean()
  AI_JSON_SCHEMA: boolean = true;

  /**
   * Time limit of the model for an answer in milliseconds, all its attempts together. The templates write the
   * answer after it.
   */
  @IsIntegerIn(50, 60_000)
  AI_DEADLINE_MS: number = 8_000;

  /**
   * Parallel answers of a process at the model. More wait a short time, and then the templates write them.
   */
  @IsIntegerIn(1, 1_000)
  AI_CONCURRENCY: number = 8;

  /** Tokens of the longest prompt: facts that do not fit are left out. */
  @IsIntegerIn(1_000, 1_000_000)
  AI_MAX_INPUT_TOKENS: number = 16_000;

  /** Tokens of the longest answer. */
  @IsIntegerIn(100, 100_000)
  AI_MAX_OUTPUT_TOKENS: number = 4_000;

  /** Tokens that one answer may use, all its attempts together. */
  @IsIntegerIn(1_000)
  AI_TOKENS_PER_ANSWER: number = 100_000;

  /** Tokens that the answers of an account may use on a day (UTC). */
  @IsIntegerIn(0)
  AI_TOKENS_PER_DAY: number = 1_000_000;

  /** US dollars for a million tokens in, from which costs are computed. 0: they are free. */
  @IsNumber()
  @Min(0)
  AI_INPUT_USD_PER_MILLION: number = 0;

  /** The same for tokens out. */
  @IsNumber()
  @Min(0)
  AI_OUTPUT_USD_PER_MILLION: number = 0;

  /** US dollars that one answer may cost, all its attempts together. */
  @IsNumber()
  @Min(0)
  AI_USD_PER_ANSWER: number = 0.25;

  /** US dollars that the answers of an account may cost on a day (UTC). */
  @IsNumber()
  @Min(0)
  AI_USD_PER_DAY: number = 5;
}
