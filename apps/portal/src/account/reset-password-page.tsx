import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Form } from 'react-aria-components';
import { Button, buttonClass } from '../design/button';
import { Checkbox, TextField } from '../design/field';
import { LINK } from '../design/link';
import { ErrorNotice } from '../design/notice';
import { AccountFrame } from './account-frame';
import { codeOfAddress, fieldErrors, fieldsOf } from './forms';
import { forgotPassword, resetPassword } from './requests';

/** Requests the mail, and sets the password when the mail linked here. */
export function ResetPasswordPage(): ReactNode {
  const [code] = useState(codeOfAddress);
  const [hasCode, setHasCode] = useState(code !== '');
  return hasCode ? <NewPassword code={code} /> : <RequestMail onCode={() => setHasCode(true)} />;
}

function RequestMail({ onCode }: { onCode: () => void }): ReactNode {
  const entry = useMutation({ mutationFn: forgotPassword });
  if (entry.isSuccess)
    return (
      <AccountFrame
        title="Read your mail"
        lead={`If ${entry.variables} has an account, a mail with a link is on its way. It is valid for an hour.`}
      >
        <Button onPress={onCode}>Enter the code</Button>
      </AccountFrame>
    );
  return (
    <AccountFrame
      title="Reset the password"
      lead="We send a link to the address of your account."
      below={
        <Link to="/log-in" className={LINK}>
          Back to the log-in
        </Link>
      }
    >
      <Form
        className="flex flex-col gap-4"
        onSubmit={(event) => entry.mutate(fieldsOf(event)['email'] ?? '')}
      >
        <TextField label="E-mail" name="email" type="email" autoComplete="username" isRequired autoFocus />
        {entry.isError && <ErrorNotice error={entry.error} />}
        <Button kind="primary" type="submit" wide isPending={entry.isPending}>
          Send the link
        </Button>
      </Form>
    </AccountFrame>
  );
}

function NewPassword({ code }: { code: string }): ReactNode {
  const entry = useMutation({ mutationFn: resetPassword });
  if (entry.isSuccess)
    return (
      <AccountFrame title="Password changed" lead="All sessions of the account have ended.">
        <Link to="/log-in" className={buttonClass('primary')}>
          Log in
        </Link>
      </AccountFrame>
    );
  return (
    <AccountFrame title="Choose a new password" lead="All sessions of the account end with it.">
      <Form
        className="flex flex-col gap-4"
        validationErrors={fieldErrors(entry.error)}
        onSubmit={(event) => {
          const { token = '', password = '', keepKeys } = fieldsOf(event);
          entry.mutate({ token: token.trim(), password, keepKeys: keepKeys !== undefined });
        }}
      >
        <TextField label="Code" name="token" defaultValue={code} mono isRequired />
        <TextField
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters, of any kind."
          minLength={12}
          maxLength={128}
          isRequired
        />
        <Checkbox name="keepKeys">
          Keep the API keys
          <span className="block text-sm text-soft">
            Otherwise all are revoked, because another person may know the old password.
          </span>
        </Checkbox>
        {entry.isError && <ErrorNotice error={entry.error} />}
        <Button kind="primary" type="submit" wide isPending={entry.isPending}>
          Change the password
        </Button>
      </Form>
    </AccountFrame>
  );
}
