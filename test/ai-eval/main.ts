import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startOwnPostgres } from '@plimsoll/testing';
import type { Recording } from '../../apps/ai/test/replay/recorded-call';
import { AiService } from './ai-service';
import { type Evaluation, evaluate } from './evaluate';
import { marketOf } from './market';
import { evaluateModels, realEndpoint } from './models';
import { type EvalQuestion } from './question';
import { questionsIn } from './questions-in';
import { questionsOf } from './questions';

const HELP = `usage: npm run tool -- eval:ai [FILE]

Asks the AI service questions over a recorded local market and holds its answers against figures worked out apart from it:
by the templates, by a mock of a language model in each of its modes, and by the one that AI_PROVIDER, AI_MODEL, AI_BASE_URL
and AI_API_KEY name, if they do.
FILE: other questions, one JSON object a line:
  question  what is asked, over the positions that the recording has
  answered  false: the right answer is that it cannot be answered; true: it must be answered
  numbers   figures that must be in the answer, in the unit in which they are said (percent for probabilities)
  words     texts that must be in it
  absent    texts that must not be in it, in any case
Empty lines are passed over. Without FILE: the 320 questions of this evaluation; -- --record makes its recording anew.
Prints, for each writer, how many answers were right, figures that no fact has, injections that succeeded, refusals and times
as JSON; what went wrong goes to standard error, a line each.
Exit status 0 when all goals are met, 1 when one is missed, 2 when FILE cannot be read.`;

export const RECORDING = path.join(__dirname, '../../apps/ai/test/replay/recorded.json');

/** The time limit for half of the answers of the templates. */
const P50_MS = 50;

const WARM_UP = 10;

/** Runs the evaluation and prints it as JSON. Its failures go to standard error. */
export async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(HELP);
    return 0;
  }
  const recording = JSON.parse(readFileSync(RECORDING, 'utf8')) as Recording;
  const [file] = args;
  const questions = file === undefined ? questionsOf(marketOf(recording)) : readQuestions(file);
  if (typeof questions === 'string') {
    console.error(questions);
    return 2;
  }
  const postgres = await startOwnPostgres('ai_eval');
  try {
    const template = await byTemplate(recording, postgres.url, questions);
    const models = await evaluateModels(recording, postgres.url, questions, realEndpoint(process.env));
    const writers = [template, ...models];
    for (const { writer, failures } of writers) {
      for (const failure of failures) console.error(JSON.stringify({ writer, ...failure }));
    }
    const figures = writers.map(({ failures, ...rest }) => ({ ...rest, failures: failures.length }));
    console.log(JSON.stringify({ questions: questions.length, writers: figures }, null, 2));
    return writers.every(({ passed }) => passed) && template.p50Ms <= P50_MS ? 0 : 1;
  } finally {
    await postgres.dispose();
  }
}

async function byTemplate(
  recording: Recording,
  databaseUrl: string,
  questions: readonly EvalQuestion[],
): Promise<Evaluation> {
  const service = await AiService.start(recording, databaseUrl);
  try {
    // The first answers of a process compile its code, and a short file would measure only that.
    for (let at = 0; at < WARM_UP; at += 1) await service.ask(questions[at % questions.length]!.question);
    return await evaluate('template', service, questions);
  } finally {
    await service.stop();
  }
}

/** The questions of a file, or the reason why it cannot be read. */
function readQuestions(file: string): EvalQuestion[] | string {
  try {
    return questionsIn(readFileSync(file, 'utf8'));
  } catch (error) {
    return `${file}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
