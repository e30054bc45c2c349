import { useMutation } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../design/button';
import { TextField } from '../design/field';
import { LINK } from '../design/link';
import { isLocal } from '../design/local';
import { ErrorNotice } from '../design/notice';
import { AccountFrame } from './account-frame';
import { fieldsOf } from './forms';
import { logIn } from './requests';

export function LogInPage(): ReactNode {
  const router = useRouter();
  const { next, email = '' } = useSearch({ from: '/log-in' });
  const [demo] = useState(demoOfAddress);
  const entry = useMutation({
    mutationFn: logIn,
    onSuccess: () => (isOwnAddress(next) ? router.history.push(next) : router.navigate({ to: '/' })),
  });
  return (
    <AccountFrame
      title="Log in"
      below={
        <>
          No account yet?{' '}
          <Link to="/sign-up" className={LINK}>
            Sign up
          </Link>
        </>
      }
    >
      <Form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          const { email: typed = '', password = '' } = fieldsOf(event);
          entry.mutate({ email: typed, password });
        }}
      >
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={demo?.email ?? email}
          isRequired
          autoFocus={!demo}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          defaultValue={demo?.password ?? ''}
          isRequired
        />
        {entry.isError && <ErrorNotice error={entry.error} />}
        <Button kind="primary" type="submit" wide isPending={entry.isPending} autoFocus={demo !== null}>
          Log in
        </Button>
        <Link to="/reset-password" className={`${LINK} self-start text-sm`}>
          Reset the password
        </Link>
      </Form>
    </AccountFrame>
  );
}

/** Whether an address is a page of the portal, and not of another site. */
const isOwnAddress = (address: string | undefined): address is string =>
  address !== undefined && /^\/portal(?![^/?#])/.test(address);

/** The demo account after `#`, which npm start prints. Only a platform on this machine has one. */
function demoOfAddress(): { email: string; password: string } | null {
  const found = /^#([^:]+):(.+)$/.exec(location.hash);
  return isLocal && found ? { email: found[1] ?? '', password: decodeURIComponent(found[2] ?? '') } : null;
}
