import { DatabaseConfig } from '@plimsoll/service-kit';
import { IsBoolean, IsIn, IsInt, IsNumber, Matches, Max, Min, ValidateIf } from 'class-validator';

export const PROVIDERS = ['openai-compatible', 'anthropic'] as const;

const isWanted = ({ AI_PROVIDER, AI_MODEL, AI_BASE_URL, AI_API_KEY }: ModelConfig): boolean =>
  [AI_PROVIDER, AI_MODEL, AI_BASE_URL, AI_API_KEY].some((value) => value !== '');

/** Variables of the language model. Without AI_PROVIDER and the others there is none, and the templates answer. */
export class ModelConfig extends DatabaseConfig {
  @ValidateIf(isWanted)
  @IsIn(PROVIDERS)
  AI_PROVIDER: string = '';

  /** Name of the model, as its provider has it. */
  @ValidateIf(isWanted)
  @Matches(/^[\w.:/@+-]{1,200}$/, { message: 'must be the name of a model' })
  AI_MODEL: string = '';

  /** Where the API is, with its version: http://127.0.0.1:11434/v1. Needed for openai-compatible. It may be on the loopback. */
  @ValidateIf(
    ({ AI_PROVIDER, AI_BASE_URL }: ModelConfig) => AI_PROVIDER === 'openai-compatible' || AI_BASE_URL !== '',
  )
  @Matches(/^https?:\/\/[^\s@?#]+$/, {
    message: 'must be an http:// address without user, query and fragment',
  })
  AI_BASE_URL: string = '';

  /** Needed for anthropic; openai-compatible servers of one's own may need none. */
  @ValidateIf(({ AI_PROVIDER, AI_API_KEY }: ModelConfig) => AI_PROVIDER === 'anthropic' || AI_API_KEY !== '')
  @Matches(/^[\x21-\x7e]{8,500}$/, { message: 'must be a key of 8 characters or more, without spaces' })
  AI_API_KEY: string = '';

  /** False for openai-compatible servers that know `json_object` and no JSON schema. */
  @IsBoolean()
  AI_JSON_SCHEMA: boolean = true;

  /** Milliseconds that a model may take for an answer, all its attempts together; then the templates answer. */
  @IsInt()
  @Min(50)
  @Max(60_000)
  AI_DEADLINE_MS: number = 8_000;

  /** Answers that a process has in work at the model at once; more wait a while, and then the templates answer. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  AI_CONCURRENCY: number = 8;

  /** Tokens of the longest prompt: facts that do not fit are left out. */
  @IsInt()
  @Min(1_000)
  @Max(1_000_000)
  AI_MAX_INPUT_TOKENS: number = 16_000;

  /** Tokens of the longest answer. */
  @IsInt()
  @Min(100)
  @Max(100_000)
  AI_MAX_OUTPUT_TOKENS: number = 4_000;

  /** Tokens that one answer may take, all its attempts together. */
  @IsInt()
  @Min(1_000)
  AI_TOKENS_PER_ANSWER: number = 100_000;

  /** Tokens that the answers of an account may take on a day (UTC). */
  @IsInt()
  @Min(0)
  AI_TOKENS_PER_DAY: number = 1_000_000;

  /** US dollars for a million tokens in, from which costs are worked out. 0: they cost nothing. */
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
