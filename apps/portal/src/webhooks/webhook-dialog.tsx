import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Form } from 'react-aria-components';
import { fieldErrors, fieldsOf } from '../account/forms';
import { PasswordAgain, needsPassword } from '../account/password-again';
import { type Schema, plimsoll } from '../api/client';
import { Button } from '../design/button';
import { Dialog, DialogButtons } from '../design/dialog';
import { CheckboxGroup, TextField } from '../design/field';
import { ErrorNotice } from '../design/notice';
import { type EventFilter, EventFilterFields, NO_FILTER } from './event-filter';
import {
  EVENT_TYPES,
  type EventType,
  SEVERITIES,
  type Severity,
  type Webhook,
  webhooksQuery,
} from './requests';
import { SecretDialog } from './secret-dialog';

const DEFAULT_EVENTS: EventType[] = ['alert.created', 'alert.escalated', 'alert.resolved', 'test.ping'];

type Fields = Schema<'CreateWebhookBody'>;

/** Creates an endpoint, or changes one. */
export function WebhookDialog({ edited, onClose }: { edited?: Webhook; onClose: () => void }): ReactNode {
  const queries = useQueryClient();
  const [events, setEvents] = useState<string[]>(edited?.events ?? DEFAULT_EVENTS);
  const [severities, setSeverities] = useState<string[]>(
    edited && edited.severities.length > 0 ? edited.severities : [...SEVERITIES],
  );
  const [filter, setFilter] = useState<EventFilter>(edited ?? NO_FILTER);
  const entry = useMutation({
    mutationFn: async (fields: Fields) => {
      if (!edited) return (await plimsoll.webhooks.create(fields)).webhook.secret;
      await plimsoll.webhooks.update({ id: edited.id, ...fields });
      return null;
    },
    onSuccess: async (secret) => {
      await queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
      if (secret === null) onClose();
    },
  });
  if (entry.data) return <SecretDialog secret={entry.data} onClose={onClose} />;
  if (needsPassword(entry.error)) return <PasswordAgain request={entry} onClose={onClose} />;
  return (
    <Dialog title={edited ? 'Edit endpoint' : 'Add an endpoint'} isOpen onClose={onClose}>
      <Form
        className="flex flex-col gap-5"
        validationErrors={fieldErrors(entry.error)}
        onSubmit={(event) => {
          const { url = '' } = fieldsOf(event);
          const all = severities.length === SEVERITIES.length;
          entry.mutate({
            url,
            events: events as EventType[],
            severities: all ? [] : (severities as Severity[]),
            protocols: filter.protocols as Fields['protocols'],
            chainIds: filter.chainIds,
            walletGroupIds: filter.walletGroupIds,
          });
        }}
      >
        <TextField
          label="URL"
          name="url"
          type="url"
          defaultValue={edited?.url ?? ''}
          placeholder="https://hooks.example.com/plimsoll"
          hint="A public address with https."
          maxLength={2_048}
          mono
          isRequired
          autoFocus
        />
        <CheckboxGroup
          label="Events"
          choices={EVENT_TYPES.map((type) => ({ value: type, label: type }))}
          value={events}
          onChange={setEvents}
        />
        <CheckboxGroup
          label="Severities of alerts"
          choices={SEVERITIES.map((severity) => ({ value: severity, label: severity }))}
          value={severities}
          onChange={setSeverities}
        />
        <EventFilterFields filter={filter} onChange={setFilter} />
        {entry.isError && <ErrorNotice error={entry.error} />}
        <DialogButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isPending={entry.isPending}>
            {edited ? 'Save endpoint' : 'Add endpoint'}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
