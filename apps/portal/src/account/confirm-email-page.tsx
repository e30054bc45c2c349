import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Form } from 'react-aria-components';
import { Button, buttonClass } from '../design/button';
import { TextField } from '../design/field';
import { ErrorNotice } from '../design/notice';
import { AccountFrame } from './account-frame';
import { codeOfAddress, fieldsOf } from './forms';
import { confirmEmail } from './requests';

/** The page that a mail links to. */
export function ConfirmEmailPage(): ReactNode {
  const [code] = useState(codeOfAddress);
  const entry = useMutation({ mutationFn: confirmEmail });
  if (entry.isSuccess)
    return (
      <AccountFrame title="Address confirmed" lead="Log in with the password of your sign-up.">
        <Link to="/log-in" className={buttonClass('primary')}>
          Log in
        </Link>
      </AccountFrame>
    );
  return (
    <AccountFrame
      title="Confirm your address"
      lead="Confirm it only if you signed up. Otherwise close this page: the account is deleted after 24 hours."
    >
      <Form
        className="flex flex-col gap-4"
        onSubmit={(event) => entry.mutate((fieldsOf(event)['token'] ?? '').trim())}
      >
        <TextField label="Code" name="token" defaultValue={code} mono isRequired />
        {entry.isError && <ErrorNotice error={entry.error} />}
        <Button kind="primary" type="submit" wide isPending={entry.isPending}>
          Confirm address
        </Button>
      </Form>
    </AccountFrame>
  );
}
