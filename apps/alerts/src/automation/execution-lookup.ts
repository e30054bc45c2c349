import { Injectable } from '@nestjs/common';
import { type ExecutionReadinessBody, type FieldError, Problem, notFound } from '@plimsoll/contracts';
import { type Caller, InnerClient } from '@plimsoll/service-kit';
import { AlertsConfig } from '../config';

/** The execution service reads the position from positions, and its policies from the chain. */
const DEADLINE_MS = 8_000;
const OWN_FIELDS = new Set(['positionId', 'actionType']);

/** Checks whether the execution service could do what a rule would request. */
@Injectable()
export class ExecutionLookup {
  private readonly upstream: InnerClient;

  constructor({ UPSTREAM_EXECUTION }: AlertsConfig) {
    this.upstream = new InnerClient(UPSTREAM_EXECUTION, 'What the wallet allows', DEADLINE_MS);
  }

  /** @throws not_found; unsupported_execution, execution_refused naming the field of the rule; upstream_… */
  async check(caller: Caller, asked: ExecutionReadinessBody): Promise<void> {
    try {
      const response = await this.upstream.post<object>('/inner/execution/readiness', asked, caller);
      if (response === null) throw notFound('position');
    } catch (error) {
      if (!(error instanceof Problem) || !error.options.errors) throw error;
      throw new Problem(error.code, error.detail, {
        ...error.options,
        errors: error.options.errors.map(ofRule),
      });
    }
  }
}

/** Renames the field to that of the rule's request body. */
function ofRule({ field, ...error }: FieldError): FieldError {
  if (field === 'mode') return { field: 'actionType', ...error };
  if (field === 'belowHealthFactor') return { field: 'conditionValue', ...error };
  return { field: field === '' || OWN_FIELDS.has(field) ? field : `action.${field}`, ...error };
}
