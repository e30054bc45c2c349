import { useMutation } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../design/button';
import { TextField } from '../design/field';
import { LINK } from '../design/link';
import { isLocal } from '../design/local';
import { ErrorNotice, Notice } from '../design/notice';
import { AccountFrame } from './account-frame';
import { fieldErrors, fieldsOf } from './forms';
import { type Credentials, confirmEmail, logIn, sendCheck, signUp } from './requests';

const TEXTS = { conflict: ['This address has an account', 'Log in, or reset its password.'] } as const;

export function SignUpPage(): ReactNode {
  const [waiting, setWaiting] = useState<Credentials | null>(null);
  return waiting ? <CodeStep credentials={waiting} /> : <AddressStep onMail={setWaiting} />;
}

function AddressStep({ onMail }: { onMail: (credentials: Credentials) => void }): ReactNode {
  const router = useRouter();
  const entry = useMutation({
    mutationFn: async (credentials: Credentials) => {
      const { status } = await signUp(credentials);
      if (status === 'check_email') return onMail(credentials);
      await logIn(credentials);
      return router.navigate({ to: '/' });
    },
  });
  return (
    <AccountFrame
      title="Create an account"
      lead="The open plan is free: 1,000 requests a day."
      below={
        <>
          You have an account?{' '}
          <Link to="/log-in" className={LINK}>
            Log in
          </Link>
        </>
      }
    >
      <Form
        className="flex flex-col gap-4"
        validationErrors={fieldErrors(entry.error)}
        onSubmit={(event) => {
          const { email = '', password = '' } = fieldsOf(event);
          entry.mutate({ email, password });
        }}
      >
        <TextField label="E-mail" name="email" type="email" autoComplete="username" isRequired autoFocus />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters, of any kind."
          minLength={12}
          maxLength={128}
          isRequired
        />
        {entry.isError && <ErrorNotice error={entry.error} texts={TEXTS} />}
        <Button kind="primary" type="submit" wide isPending={entry.isPending}>
          Create account
        </Button>
      </Form>
    </AccountFrame>
  );
}

function CodeStep({ credentials }: { credentials: Credentials }): ReactNode {
  const router = useRouter();
  const entry = useMutation({
    mutationFn: async (token: string) => {
      await confirmEmail(token);
      await logIn(credentials);
      await router.navigate({ to: '/' });
    },
  });
  const again = useMutation({ mutationFn: sendCheck });
  return (
    <AccountFrame
      title="Confirm your address"
      lead={
        <>
          We sent a mail to <strong className="font-medium text-text">{credentials.email}</strong>. Open its
          link, or enter its code here.
        </>
      }
    >
      <Form
        className="flex flex-col gap-4"
        onSubmit={(event) => entry.mutate((fieldsOf(event)['token'] ?? '').trim())}
      >
        <TextField
          label="Code"
          name="token"
          autoComplete="one-time-code"
          hint="The 43 characters of the mail."
          mono
          isRequired
          autoFocus
        />
        {entry.isError && <ErrorNotice error={entry.error} />}
        <Button kind="primary" type="submit" wide isPending={entry.isPending}>
          Confirm address
        </Button>
        <Button kind="quiet" wide isPending={again.isPending} onPress={() => again.mutate(credentials.email)}>
          Send the mail again
        </Button>
        {again.isSuccess && <Notice tone="good" title="Sent. The new code replaces the earlier one." />}
        {again.isError && <ErrorNotice error={again.error} />}
        {isLocal && <LocalMailHint />}
      </Form>
    </AccountFrame>
  );
}

/** A platform on this machine sends no mails. */
function LocalMailHint(): ReactNode {
  return (
    <p className="text-sm text-soft">
      Started with npm start? Read it at{' '}
      <a href="/portal/mail" target="_blank" rel="noreferrer" className={LINK}>
        /portal/mail
      </a>
      .
    </p>
  );
}
