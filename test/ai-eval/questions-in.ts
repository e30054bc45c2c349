import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { EvalQuestion } from './question';

const Line = Type.Object(
  {
    question: Type.String({ minLength: 1, maxLength: 2_000 }),
    answered: Type.Optional(Type.Boolean()),
    numbers: Type.Optional(Type.Array(Type.Number())),
    words: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    absent: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
  },
  { additionalProperties: false },
);

/** Questions from outside, one JSON object a line. @throws naming the first invalid line */
export function questionsIn(text: string): EvalQuestion[] {
  const questions = text.split('\n').flatMap((line, at): EvalQuestion[] => {
    if (line.trim() === '') return [];
    return [{ id: `line-${at + 1}`, category: 'exact', ...questionOf(line, at + 1) }];
  });
  if (questions.length === 0) throw new Error('it holds no question');
  return questions;
}

function questionOf(line: string, number: number): Static<typeof Line> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error(`line ${number} is no JSON`);
  }
  const problem = Value.Errors(Line, value).First();
  if (problem) throw new Error(`line ${number}: ${problem.path || 'it'}: ${problem.message}`);
  return value as Static<typeof Line>;
}
