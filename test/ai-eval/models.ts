import type { Recording } from '../../apps/ai/test/replay/recorded-call';
import { type ModelMode, startMockModel } from '../../apps/ai/test/mock-model/mock-model';
import { AiService } from './ai-service';
import { type Evaluation, evaluate } from './evaluate';
import type { EvalQuestion } from './question';

/** The delay of each question with a stalled model, until the breaker opens. */
const STALLED_DEADLINE_MS = 300;
const DEADLINE_MS = 30_000;
/** The least share of answers in the words of a model that works. */
const LEAST_BY_MODEL = 0.95;

/** The mock's modes, and whether an answer may contain its words. */
const MODES: readonly { mode: ModelMode; mayLeave: boolean }[] = [
  { mode: 'answers', mayLeave: true },
  { mode: 'invents_once', mayLeave: true },
  { mode: 'invents', mayLeave: false },
  { mode: 'swaps', mayLeave: false },
  { mode: 'obeys_injections', mayLeave: false },
  { mode: 'breaks_schema', mayLeave: false },
  { mode: 'stalls', mayLeave: false },
  { mode: 'rate_limits', mayLeave: false },
  { mode: 'fails', mayLeave: false },
];

/** The settings of a real endpoint. Null if the environment names none. */
export function realEndpoint(env: NodeJS.ProcessEnv): Record<string, string> | null {
  const { AI_PROVIDER, AI_MODEL = '', AI_BASE_URL = '', AI_API_KEY = '' } = env;
  return AI_PROVIDER ? { AI_PROVIDER, AI_MODEL, AI_BASE_URL, AI_API_KEY } : null;
}

/**
 * Asks the questions with the mock in each of its modes, and with a real endpoint if there is one.
 * @param modes of the mock; default: all
 */
export async function evaluateModels(
  recording: Recording,
  databaseUrl: string,
  questions: readonly EvalQuestion[],
  endpoint: Record<string, string> | null = null,
  modes: readonly ModelMode[] = MODES.map(({ mode }) => mode),
): Promise<Evaluation[]> {
  const evaluations: Evaluation[] = [];
  for (const { mode, mayLeave } of MODES.filter((each) => modes.includes(each.mode))) {
    const mock = await startMockModel(mode);
    try {
      const settings = {
        AI_PROVIDER: 'openai-compatible',
        AI_MODEL: 'mock',
        AI_BASE_URL: mock.url,
        AI_DEADLINE_MS: mode === 'stalls' ? STALLED_DEADLINE_MS : DEADLINE_MS,
      };
      const evaluation = await evaluateOne(`mock:${mode}`, recording, databaseUrl, questions, settings);
      const { byModel } = evaluation;
      const isShareRight = byModel === null || (mayLeave ? byModel >= LEAST_BY_MODEL : byModel === 0);
      evaluations.push({ ...evaluation, passed: evaluation.passed && isShareRight });
    } finally {
      await mock.close();
    }
  }
  if (endpoint === null) return evaluations;
  const name = `model:${endpoint['AI_MODEL']}`;
  return [...evaluations, await evaluateOne(name, recording, databaseUrl, questions, endpoint)];
}

async function evaluateOne(
  name: string,
  recording: Recording,
  databaseUrl: string,
  questions: readonly EvalQuestion[],
  settings: object,
): Promise<Evaluation> {
  const budget = { AI_TOKENS_PER_DAY: 1_000_000_000, AI_TOKENS_PER_ANSWER: 1_000_000 };
  const service = await AiService.start(recording, databaseUrl, { ...budget, ...settings });
  try {
    return await evaluate(name, service, questions);
  } finally {
    await service.stop();
  }
}
