/** A mail to one address. */
export interface Mail {
  /** Name in logs and metrics, which contain neither address nor text. */
  kind: 'verify_email' | 'reset_password' | 'account_exists' | 'password_changed' | 'new_key' | 'new_address';
  to: string;
  subject: string;
  text: string;
}

/** A page of the portal. A code follows `#`, so that servers and proxies do not see it. */
const page = (publicUrl: string, path: string): string => `  ${new URL(publicUrl).origin}/portal/${path}`;

/** @param address client address of the sign-up */
export function verifyEmailMail(
  to: string,
  token: string,
  publicUrl: string,
  hours: number,
  address: string,
): Mail {
  return {
    kind: 'verify_email',
    to,
    subject: 'Confirm your e-mail address for Plimsoll',
    text: `A person at ${address} signed up for Plimsoll with this e-mail address. If that was you, confirm it within ${hours} hours on this page. It sets the password of that sign-up:

${page(publicUrl, `confirm-email#${token}`)}

The page and the account API (email-check/confirm) take this code:

  ${token}

If it was not you, do not use the code: the account is deleted without it.`,
  };
}

export function accountExistsMail(to: string, publicUrl: string): Mail {
  return {
    kind: 'account_exists',
    to,
    subject: 'You already have a Plimsoll account',
    text: `A person signed up for Plimsoll with this address, which has an account. Nothing was changed.

If that was you and you forgot the password, ask for a new one:

${page(publicUrl, 'reset-password')}`,
  };
}

export function resetPasswordMail(to: string, token: string, publicUrl: string, minutes: number): Mail {
  return {
    kind: 'reset_password',
    to,
    subject: 'A new password for Plimsoll',
    text: `A person requested a new password for this account of Plimsoll. If that was you, set it within ${minutes} minutes on this page:

${page(publicUrl, `reset-password#${token}`)}

The page and the account API (password/reset) take this code:

  ${token}

All sessions end with it, and all API keys unless you choose to keep them. If it was not you, do nothing: the password stays as it is.`,
  };
}

export function passwordChangedMail(to: string, publicUrl: string): Mail {
  return {
    kind: 'password_changed',
    to,
    subject: 'The password of your Plimsoll account was changed',
    text: `The password of this account was changed just now, and its other sessions have ended.

If that was not you, ask for a new password at once, and look through your API keys:

${page(publicUrl, 'reset-password')}`,
  };
}

/** @param maker who created the key, with the client address */
export function newKeyMail(to: string, name: string, maker: string, publicUrl: string): Mail {
  return {
    kind: 'new_key',
    to,
    subject: 'A new API key of your account of Plimsoll',
    text: `The API key "${name}" was created just now, by ${maker}.

${ifNotYou(publicUrl)}`,
  };
}

export function newAddressMail(to: string, address: string, publicUrl: string): Mail {
  return {
    kind: 'new_address',
    to,
    subject: 'A log-in to your account of Plimsoll from a new address',
    text: `A person logged in to this account just now from ${address}, which it was not used from before.

${ifNotYou(publicUrl)}`,
  };
}

const ifNotYou = (publicUrl: string): string =>
  `If that was not you, set a new password. All sessions and API keys end with it:

${page(publicUrl, 'reset-password')}`;
