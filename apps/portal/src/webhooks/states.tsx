import type { ReactNode } from 'react';
import { Status } from '../design/values';
import type { Delivery, DeliveryState, Webhook } from './requests';

const TONES = {
  pending: 'warn',
  retrying: 'warn',
  delivered: 'good',
  failed: 'bad',
  skipped: 'off',
} as const satisfies Record<DeliveryState, string>;

export function DeliveryStatus({ state }: { state: DeliveryState }): ReactNode {
  return <Status tone={TONES[state]}>{state}</Status>;
}

/** The status of the last response, or why there was none. */
export function outcomeOf({ attempts }: Pick<Delivery, 'attempts'>): string {
  const last = attempts.at(-1);
  if (!last) return 'no attempt yet';
  return last.statusCode === null ? (last.error ?? 'no response') : String(last.statusCode);
}

const REASONS = {
  gone: 'responded with 410',
  failing: 'failed for 5 days',
  tier_cap: 'above the plan',
};

export function EndpointStatus({ webhook }: { webhook: Webhook }): ReactNode {
  if (webhook.isEnabled) return <Status tone="good">enabled</Status>;
  const reason = webhook.disabledReason;
  return (
    <Status tone={reason ? 'bad' : 'off'}>{reason ? `disabled: ${REASONS[reason]}` : 'disabled'}</Status>
  );
}
