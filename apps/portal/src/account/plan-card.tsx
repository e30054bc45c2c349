import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { type Schema, account, sessionQuery } from '../api/client';
import { Button } from '../design/button';
import { Dialog, DialogButtons } from '../design/dialog';
import { RadioGroup } from '../design/field';
import { formatCount } from '../design/format';
import { Card, Facts } from '../design/layout';
import { ErrorNotice, Loading, Notice } from '../design/notice';
import { Id, Time } from '../design/values';
import { fieldsOf } from './forms';

type Plan = Schema<'PlanInfo'>;

const planQuery = {
  queryKey: ['plan'],
  queryFn: ({ signal }: { signal: AbortSignal }) => account<Plan>('GET', 'plan', { signal }),
};

const PLANS = [
  { value: 'open', label: 'Open', hint: 'Free. 1 key, positions and prices.' },
  { value: 'pro', label: 'Pro', hint: 'Webhooks and alerts.' },
  { value: 'business', label: 'Business', hint: 'More keys, endpoints, wallets and requests.' },
  { value: 'enterprise', label: 'Enterprise', hint: 'Streams, on-chain execution, and limits by agreement.' },
];

/** The plan with its limits, and the change that the operator has not applied yet. */
export function PlanCard({ onChange }: { onChange: () => void }): ReactNode {
  const session = useQuery(sessionQuery);
  const plan = useQuery(planQuery);
  const queries = useQueryClient();
  const withdraw = useMutation({
    mutationFn: () => account<Plan>('DELETE', 'plan'),
    onSuccess: (now) => queries.setQueryData(planQuery.queryKey, now),
  });
  const requested = plan.data?.requested;
  return (
    <Card
      title="Plan and limits"
      aside={
        <Button size="small" onPress={onChange}>
          Change plan
        </Button>
      }
    >
      {plan.isError && (
        <div className="px-5 pt-4">
          <ErrorNotice error={plan.error} onRetry={() => void plan.refetch()} />
        </div>
      )}
      {requested && (
        <div className="px-5 pt-4">
          <Notice tone="info" title={`The ${requested.tier} plan is requested`}>
            <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <span>
                Requested <Time at={requested.requestedAt} />. The operator applies it.
              </span>
              <Button size="small" isPending={withdraw.isPending} onPress={() => withdraw.mutate()}>
                Withdraw
              </Button>
            </p>
          </Notice>
        </div>
      )}
      {withdraw.isError && (
        <div className="px-5 pt-4">
          <ErrorNotice error={withdraw.error} />
        </div>
      )}
      {session.data ? <Limits session={session.data} /> : <Loading rows={4} />}
    </Card>
  );
}

const REFUSED = {
  conflict: ['Your plan has changed', 'The account has this plan already. Choose another one.'],
} as const;

/** Requests another plan. */
export function PlanDialog({ onClose }: { onClose: () => void }): ReactNode {
  const session = useQuery(sessionQuery);
  const queries = useQueryClient();
  const entry = useMutation({
    mutationFn: (tier: string) => account<Plan>('POST', 'plan', { body: { tier } }),
    onSuccess: (now) => {
      queries.setQueryData(planQuery.queryKey, now);
      onClose();
    },
    // The operator may have changed the plan meanwhile.
    onError: () => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  const choices = PLANS.filter(({ value }) => value !== session.data?.account.tier);
  return (
    <Dialog title="Change the plan" isOpen onClose={onClose}>
      <Form className="flex flex-col gap-5" onSubmit={(event) => entry.mutate(fieldsOf(event)['tier'] ?? '')}>
        <RadioGroup
          key={session.data?.account.tier}
          label="Plan"
          name="tier"
          choices={choices}
          defaultValue={choices[0]?.value ?? ''}
        />
        <p className="text-soft">The operator applies the change. Your plan stays the same until then.</p>
        {entry.isError && <ErrorNotice error={entry.error} texts={REFUSED} />}
        <DialogButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isPending={entry.isPending}>
            Request plan
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

function Limits({ session: { account: own } }: { session: Schema<'SessionInfo'> }): ReactNode {
  const { keys, webhooks, wallets, requestsPerMinute, requestsPerDay } = own.limits;
  const cap = (value: number | null): string => (value === null ? 'no limit' : formatCount(value));
  return (
    <Facts
      facts={[
        ['Plan', <span className="capitalize">{own.tier}</span>],
        ['E-mail', own.email],
        ['Account', <Id value={own.id} />],
        ['Requests per minute', formatCount(requestsPerMinute)],
        ['Requests per UTC day', cap(requestsPerDay)],
        ['API keys', cap(keys)],
        ['Webhook endpoints', cap(webhooks)],
        ['Watched wallets', cap(wallets)],
      ]}
    />
  );
}
