import type { QueryPlan } from '@plimsoll/testing';
import type { Pool, PoolClient } from 'pg';

/** The plan of a statement as Postgres ran it, from auto_explain. */
export interface RecordedPlan {
  ms: number;
  text: string;
  root: QueryPlan & { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
}

const LOGGED = /^duration: ([\d.]+) ms {2}plan:\n/;

/**
 * Settings of a database whose connections report each plan with what it read. It is the plan of the run itself, so a
 * plan that Postgres keeps for a named statement is seen too.
 */
export const REPORT_PLANS: Readonly<Record<string, string>> = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_format': 'json',
  client_min_messages: 'log',
};

/** Collects the plans that the connections of pools report. */
export class PlanRecorder {
  private plans: RecordedPlan[] = [];

  watch(pool: Pool): void {
    pool.on('connect', (client: PoolClient) => {
      client.on('notice', ({ message }) => this.take(message ?? ''));
    });
  }

  /** The plans of the statements that the work runs. */
  async during(work: () => Promise<unknown>): Promise<RecordedPlan[]> {
    this.plans = [];
    await work();
    return this.plans;
  }

  private take(message: string): void {
    const logged = LOGGED.exec(message);
    if (!logged) return;
    const plan = JSON.parse(message.slice(logged[0].length)) as {
      'Query Text': string;
      Plan: RecordedPlan['root'];
    };
    this.plans.push({ ms: Number(logged[1]), text: plan['Query Text'], root: plan.Plan });
  }
}
