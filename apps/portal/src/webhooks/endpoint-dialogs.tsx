import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { fieldsOf } from '../account/forms';
import { PasswordAgain, needsPassword } from '../account/password-again';
import { plimsoll } from '../api/client';
import { Button } from '../design/button';
import { Dialog, DialogButtons } from '../design/dialog';
import { RadioGroup } from '../design/field';
import { ErrorNotice, Notice } from '../design/notice';
import { type Webhook, webhooksQuery } from './requests';
import { SecretDialog } from './secret-dialog';

interface DialogProps {
  webhook: Webhook;
  onClose: () => void;
}

const OVERLAPS = [
  { value: '24', label: '24 hours', hint: 'Requests have both signatures meanwhile.' },
  { value: '1', label: '1 hour' },
  {
    value: '0',
    label: 'Not at all',
    hint: 'Requests have only the new signature, or a current overlap ends.',
  },
];

export function RotateSecretDialog({ webhook, onClose }: DialogProps): ReactNode {
  const entry = useMutation({
    mutationFn: async (overlapHours: number) =>
      (await plimsoll.webhooks.rotateSecret({ id: webhook.id, overlapHours })).webhook,
  });
  if (entry.data?.secret) return <SecretDialog secret={entry.data.secret} onClose={onClose} />;
  if (needsPassword(entry.error)) return <PasswordAgain request={entry} onClose={onClose} />;
  return (
    <Dialog title="Rotate the signing secret" isOpen onClose={onClose}>
      <Form
        className="flex flex-col gap-5"
        onSubmit={(event) => entry.mutate(Number(fieldsOf(event)['overlap']))}
      >
        <RadioGroup
          label="The old secret stays valid for"
          name="overlap"
          choices={OVERLAPS}
          defaultValue="24"
        />
        {entry.data && <Notice tone="good" title="The overlap has ended. The newest secret is in use." />}
        {entry.isError && <ErrorNotice error={entry.error} />}
        <DialogButtons>
          <Button onPress={onClose}>{entry.data ? 'Close' : 'Cancel'}</Button>
          <Button kind="primary" type="submit" isPending={entry.isPending}>
            Rotate secret
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

export function DeleteDialog({ webhook, onClose }: DialogProps): ReactNode {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const entry = useMutation({
    mutationFn: () => plimsoll.webhooks.delete({ id: webhook.id }),
    onSuccess: async () => {
      await navigate({ to: '/webhooks' });
      await queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
    },
  });
  return (
    <Dialog title="Delete the endpoint" isOpen onClose={onClose}>
      <p>
        <span className="font-mono text-sm break-all">{webhook.url}</span> receives no further events, and its
        deliveries are removed. This cannot be undone.
      </p>
      {entry.isError && <ErrorNotice error={entry.error} />}
      <DialogButtons>
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="danger" isPending={entry.isPending} onPress={() => entry.mutate()}>
          Delete endpoint
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
