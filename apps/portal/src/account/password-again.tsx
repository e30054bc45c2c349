import { ApiError } from '@plimsoll/sdk';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../design/button';
import { Dialog, DialogButtons } from '../design/dialog';
import { TextField } from '../design/field';
import { ErrorNotice } from '../design/notice';
import { fieldsOf } from './forms';
import { confirmPassword } from './requests';

/** Whether the request needs a password of the last ten minutes. */
export const needsPassword = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'recent_log_in_required';

/** Requests the password again in a dialog, then repeats the request that needed it. */
export function PasswordAgain<Variables>({
  request,
  onClose,
}: {
  request: { variables: Variables | undefined; mutate: (variables: Variables) => void };
  onClose: () => void;
}): ReactNode {
  const entry = useMutation({
    mutationFn: confirmPassword,
    onSuccess: () => {
      if (request.variables !== undefined) request.mutate(request.variables);
    },
  });
  return (
    <Dialog title="Confirm your password" isOpen onClose={onClose}>
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
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isPending={entry.isPending}>
            Continue
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
