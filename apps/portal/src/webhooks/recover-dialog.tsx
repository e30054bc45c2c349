import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { fieldsOf } from '../account/forms';
import { plimsoll } from '../api/client';
import { readFirstPage } from '../api/paged-list';
import { Button } from '../design/button';
import { Dialog, DialogButtons } from '../design/dialog';
import { RadioGroup } from '../design/field';
import { ErrorNotice, Notice } from '../design/notice';
import { PERIODS, PERIOD_NAMES, type Period, type Webhook, beginOf } from './requests';

const CHOICES = PERIODS.map((value) => ({ value, label: `the ${PERIOD_NAMES[value]}` }));

/** Retries every failed and skipped delivery since a time. */
export function RecoverDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }): ReactNode {
  const queries = useQueryClient();
  const entry = useMutation({
    mutationFn: (period: Period) => plimsoll.webhooks.recover({ id: webhook.id, since: beginOf(period) }),
    onSettled: () => readFirstPage(queries, ['deliveries', webhook.id]),
  });
  return (
    <Dialog title="Retry all failed deliveries" isOpen onClose={onClose}>
      <Form
        className="flex flex-col gap-5"
        onSubmit={(event) => entry.mutate(fieldsOf(event)['period'] as Period)}
      >
        <p className="text-soft">
          Failed and skipped deliveries are sent again, the oldest first. Your endpoint may receive an event
          twice.
        </p>
        <RadioGroup label="Created in" name="period" choices={CHOICES} defaultValue="day" />
        {entry.data && (
          <Notice
            tone={entry.data.count > 0 ? 'good' : 'info'}
            title={
              entry.data.count === 1
                ? '1 delivery is pending again'
                : `${entry.data.count} deliveries are pending again`
            }
          />
        )}
        {entry.isError && <ErrorNotice error={entry.error} />}
        <DialogButtons>
          <Button onPress={onClose}>{entry.data ? 'Close' : 'Cancel'}</Button>
          <Button kind="primary" type="submit" isPending={entry.isPending}>
            Retry deliveries
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
