import { Counter } from 'prom-client';

export const answersTotal = new Counter({
  name: 'ai_answers_total',
  help: 'Answers that the service returned',
  labelNames: ['kind', 'generator'],
});

export const unstoredAnswers = new Counter({
  name: 'ai_unkept_answers_total',
  help: 'Answers that were returned without a row for audit',
});

export const modelCalls = new Counter({
  name: 'ai_model_calls_total',
  help: 'Calls of the language model by result: written, or why there was no draft',
  labelNames: ['outcome'],
});

export const modelTokens = new Counter({
  name: 'ai_model_tokens_total',
  help: 'Tokens in and out of the language model, as its provider reports',
  labelNames: ['direction'],
});

export const refusedDrafts = new Counter({
  name: 'ai_refused_drafts_total',
  help: 'Drafts of the language model that the verifier rejected',
});
