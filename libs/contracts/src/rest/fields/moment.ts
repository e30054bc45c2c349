import { ValidateBy } from 'class-validator';

const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * Validates an ISO 8601 date (midnight in UTC) or a date and time with Z or an offset. Field code:
 * `is_moment`.
 */
export function IsMoment(): PropertyDecorator {
  return ValidateBy({
    name: 'isMoment',
    validator: {
      validate: (value) =>
        typeof value === 'string' && MOMENT.test(value) && !Number.isNaN(Date.parse(value)),
      defaultMessage: () => '$property must be an ISO 8601 time such as 2026-11-21T12:00:00Z',
    },
  });
}
