import { Counter } from 'prom-client';

export const submissionsEnded = new Counter({
  name: 'execution_submissions_total',
  help: 'Submitted executions that ended',
  labelNames: ['status', 'reason'],
});

export const submissionFailures = new Counter({
  name: 'execution_held_up_total',
  help: 'Times that a submitted execution could not proceed and was postponed',
});
