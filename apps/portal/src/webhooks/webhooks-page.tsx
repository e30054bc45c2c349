import { ApiError } from '@plimsoll/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWebhookEvents } from '../api/live';
import { Button, buttonClass } from '../design/button';
import { formatCount } from '../design/format';
import { Card, PageHeader } from '../design/layout';
import { Empty, ErrorNotice, Loading } from '../design/notice';
import { type Webhook, EVENT_TYPES, webhooksQuery } from './requests';
import { EndpointStatus } from './states';
import { WebhookDialog } from './webhook-dialog';

export interface WebhooksSearch {
  dialog?: 'create';
}

export function WebhooksPage(): ReactNode {
  const { dialog } = useSearch({ from: '/signed-in/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  const create = (): void => void navigate({ search: { dialog: 'create' } });
  useWebhookEvents();
  const list = useQuery(webhooksQuery);
  const webhooks = list.data?.webhooks ?? [];
  const needsPlan = list.error instanceof ApiError && list.error.code === 'tier_required';
  return (
    <>
      <PageHeader
        title="Webhooks"
        action={
          !needsPlan && (
            <Button kind="primary" onPress={create}>
              Add endpoint
            </Button>
          )
        }
      >
        Plimsoll sends a signed request to your endpoint when a risk begins, changes or ends.
      </PageHeader>
      <Card title="Endpoints">
        {list.isPending && <Loading />}
        {needsPlan && (
          <Empty title="Webhooks begin with the pro plan.">
            <p className="text-soft">Your plan can read alerts with GET /v1/alerts.</p>
            <Link to="/account" search={{ dialog: 'plan' }} className={buttonClass('primary')}>
              Change plan
            </Link>
          </Empty>
        )}
        {list.isError && !needsPlan && (
          <div className="p-5">
            <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
          </div>
        )}
        {list.data && webhooks.length === 0 && (
          <Empty title="No endpoints yet. Add the URL of a receiver.">
            <Button kind="primary" onPress={create}>
              Add the first endpoint
            </Button>
          </Empty>
        )}
        <ul>
          {webhooks.map((webhook) => (
            <Row key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      </Card>
      {dialog === 'create' && <WebhookDialog onClose={() => void navigate({ search: {} })} />}
    </>
  );
}

function Row({ webhook }: { webhook: Webhook }): ReactNode {
  return (
    <li className="border-b border-line last:border-0">
      <Link
        to="/webhooks/$id"
        params={{ id: webhook.id }}
        className="flex min-h-14 flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-2.5 outline-offset-[-2px] hover:bg-hover"
      >
        <span className="min-w-0">
          <span className="block font-mono text-sm font-medium break-all">{webhook.url}</span>
          <span className="text-sm text-soft">
            {webhook.events.length === EVENT_TYPES.length ? 'all events' : webhook.events.join(', ')}
          </span>
        </span>
        <span className="flex items-center gap-4 text-sm text-soft">
          {formatCount(webhook.deliveryCount)} deliveries
          <EndpointStatus webhook={webhook} />
        </span>
      </Link>
    </li>
  );
}
