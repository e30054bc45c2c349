import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { plimsoll } from '../api/client';
import { useWebhookEvents } from '../api/live';
import { readFirstPage } from '../api/paged-list';
import { Button } from '../design/button';
import { PageHeader } from '../design/layout';
import { Empty, ErrorNotice, Loading, Notice } from '../design/notice';
import { DeleteDialog, RotateSecretDialog } from './endpoint-dialogs';
import { DeliveryDrawer } from './delivery-drawer';
import { DeliveryLog } from './delivery-log';
import { ReceivedEvents } from './event-filter';
import { RecoverDialog } from './recover-dialog';
import { type EndpointSearch, type Webhook, webhooksQuery } from './requests';
import { EndpointStatus } from './states';
import { WebhookDialog } from './webhook-dialog';

export function EndpointPage(): ReactNode {
  const { id } = useParams({ from: '/signed-in/webhooks/$id' });
  useWebhookEvents();
  const list = useQuery(webhooksQuery);
  const webhook = list.data?.webhooks.find((each) => each.id === id);
  if (list.isPending) return <Loading rows={6} />;
  if (list.isError && !list.data)
    return <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />;
  if (!webhook)
    return (
      <Empty title="This account has no such endpoint.">
        <Link to="/webhooks" className="font-medium text-accent underline underline-offset-2">
          All endpoints
        </Link>
      </Empty>
    );
  return <Endpoint webhook={webhook} webhooks={list.data.webhooks} />;
}

function Endpoint({ webhook, webhooks }: { webhook: Webhook; webhooks: readonly Webhook[] }): ReactNode {
  const { dialog, delivery, ...filter } = useSearch({ from: '/signed-in/webhooks/$id' });
  const navigate = useNavigate({ from: '/webhooks/$id' });
  const queries = useQueryClient();
  const open = (search: EndpointSearch): void => void navigate({ search });
  const refresh = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
    await readFirstPage(queries, ['deliveries', webhook.id]);
  };
  const test = useMutation({
    mutationFn: () => plimsoll.webhooks.test({ id: webhook.id }),
    onSettled: refresh,
  });
  const enable = useMutation({
    mutationFn: () => plimsoll.webhooks.update({ id: webhook.id, isEnabled: !webhook.isEnabled }),
    onSettled: refresh,
  });
  const close = (): void => open(filter);
  return (
    <>
      <p className="mb-2 text-sm text-soft">
        <Link to="/webhooks" className="font-medium text-accent hover:underline">
          Webhooks
        </Link>{' '}
        / endpoint
      </p>
      <PageHeader
        title={webhook.url}
        action={
          <div className="flex flex-wrap gap-2">
            <Button kind="primary" isPending={test.isPending} onPress={() => test.mutate()}>
              Send test
            </Button>
            <Button onPress={() => open({ ...filter, dialog: 'edit' })}>Edit</Button>
            <Button onPress={() => open({ ...filter, dialog: 'rotate' })}>Rotate secret</Button>
            <Button isPending={enable.isPending} onPress={() => enable.mutate()}>
              {webhook.isEnabled ? 'Disable' : 'Enable'}
            </Button>
            <Button onPress={() => open({ ...filter, dialog: 'delete' })}>Delete</Button>
          </div>
        }
      />
      <div className="flex flex-col gap-6">
        <p className="-mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-soft">
          <EndpointStatus webhook={webhook} />
          <ReceivedEvents webhook={webhook} />
        </p>
        {test.data && <TestResult result={test.data} id={webhook.id} />}
        {(test.isError || enable.isError) && <ErrorNotice error={test.error ?? enable.error} />}
        <DeliveryLog
          webhook={webhook}
          webhooks={webhooks}
          filter={filter}
          open={open}
          onEndpoint={(id) => void navigate({ to: '/webhooks/$id', params: { id }, search: filter })}
        />
      </div>
      {dialog === 'edit' && <WebhookDialog edited={webhook} onClose={close} />}
      {dialog === 'rotate' && <RotateSecretDialog webhook={webhook} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog webhook={webhook} onClose={close} />}
      {dialog === 'recover' && <RecoverDialog webhook={webhook} onClose={close} />}
      {delivery && <DeliveryDrawer id={delivery} onClose={close} />}
    </>
  );
}

function TestResult({
  result: { success, statusCode, responseTime, error, deliveryId },
  id,
}: {
  result: Awaited<ReturnType<typeof plimsoll.webhooks.test>>;
  /** Of the endpoint. */
  id: string;
}): ReactNode {
  const response = statusCode === 0 ? (error ?? 'no response') : `status ${statusCode}`;
  return (
    <Notice tone={success ? 'good' : 'bad'} title={success ? 'The test arrived' : 'The test failed'}>
      <p>
        The endpoint: {response}, after {responseTime} ms.{' '}
        <Link
          to="/webhooks/$id"
          params={{ id }}
          search={{ delivery: deliveryId }}
          className="font-medium text-accent underline underline-offset-2"
        >
          Headers and body
        </Link>
      </p>
    </Notice>
  );
}
