import { type Schema, account, queryClient, sessionQuery } from '../api/client';

export interface Credentials {
  email: string;
  password: string;
}

/** Logs in. The browser keeps the cookie, and nothing of the previous account stays. */
export async function logIn({ email, password }: Credentials): Promise<void> {
  const session = await account<Schema<'SessionInfo'>>('POST', 'log-in', { body: { email, password } });
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

export async function logOut(): Promise<void> {
  await account('POST', 'log-out');
  queryClient.clear();
}

export const signUp = (body: Credentials): Promise<Schema<'SignUpResult'>> =>
  account('POST', 'sign-up', { body });

export const confirmEmail = (token: string): Promise<unknown> =>
  account('POST', 'email-check/confirm', { body: { token } });

export const sendCheck = (email: string): Promise<unknown> =>
  account('POST', 'email-check/send', { body: { email } });

export const forgotPassword = (email: string): Promise<unknown> =>
  account('POST', 'password/forgot', { body: { email } });

export const resetPassword = (body: {
  token: string;
  password: string;
  keepKeys: boolean;
}): Promise<unknown> => account('POST', 'password/reset', { body });

export const confirmPassword = (password: string): Promise<unknown> =>
  account('POST', 'session/confirm', { body: { password } });
