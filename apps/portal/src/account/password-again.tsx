import { ApiError } from '@plimsoll/sdk';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../design/button';
import { DialogButtons } from '../design/dialog';
import { TextField } from '../design/field';
import { ErrorNotice } from '../design/notice';
import { fieldsOf } from './forms';
import { confirmPassword } from './requests';

/** Whether the request needs a password of the last ten minutes. */
export const needsPassword = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'recent_log_in_required';

/** Requests the password again, then continues with what needed it. */
export function PasswordAgain({
  onConfirmed,
  onCancel,
}: {
  onConfirmed: () => void;
  onCancel: () => void;
}): ReactNode {
  const entry = useMutation({ mutationFn: confirmPassword, onSuccess: onConfirmed });
  return (
    <Form
      className="flex flex-col gap-4"
      onSubmit={(event) => entry.mutate(fieldsOf(event)['password'] ?? '')}
    >
      <p className="text-soft">You logged in more than ten minutes ago. Enter your password to continue.</p>
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        isRequired
        autoFocus
      />
      {entry.isError && <ErrorNotice error={entry.error} />}
      <DialogButtons>
        <Button onPress={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" isPending={entry.isPending}>
          Continue
        </Button>
      </DialogButtons>
    </Form>
  );
}
