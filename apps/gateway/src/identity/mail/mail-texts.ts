/** A mail to one address. */
export interface Mail {
  /** Name in logs and metrics, which contain neither address nor text. */
  kind: 'verify_email' | 'reset_password' | 'account_exists' | 'password_changed';
  to: string;
  subject: string;
  text: string;
}

const post = (publicUrl: string, path: string, body: object): string =>
  `  POST ${new URL(publicUrl).origin}/account/v1/${path}\n  Content-Type: application/json\n\n  ${JSON.stringify(body)}`;

export function verifyEmailMail(to: string, token: string, publicUrl: string, hours: number): Mail {
  return {
    kind: 'verify_email',
    to,
    subject: 'Confirm your e-mail address for Plimsoll',
    text: `An account of Plimsoll was made with this address. If that was you, confirm it within ${hours} hours with this code:

  ${token}

${post(publicUrl, 'email-check/confirm', { token })}

If it was not you, do nothing: a log-in needs the code.`,
  };
}

export function accountExistsMail(to: string, publicUrl: string): Mail {
  return {
    kind: 'account_exists',
    to,
    subject: 'You already have a Plimsoll account',
    text: `A person signed up for Plimsoll with this address, which has an account. Nothing was changed.

If that was you and you forgot the password, ask for a new one:

${post(publicUrl, 'password/forgot', { email: to })}`,
  };
}

export function resetPasswordMail(to: string, token: string, publicUrl: string, minutes: number): Mail {
  return {
    kind: 'reset_password',
    to,
    subject: 'A new password for Plimsoll',
    text: `A person requested a new password for this account of Plimsoll. If that was you, set it within ${minutes} minutes with this code:

  ${token}

${post(publicUrl, 'password/reset', { token, password: 'your new password' })}

All sessions end with it. If it was not you, do nothing: the password stays as it is.`,
  };
}

export function passwordChangedMail(to: string, publicUrl: string): Mail {
  return {
    kind: 'password_changed',
    to,
    subject: 'The password of your Plimsoll account was changed',
    text: `The password of this account was changed just now, and its other sessions have ended.

If that was not you, ask for a new password at once, and look through your API keys:

${post(publicUrl, 'password/forgot', { email: to })}`,
  };
}
