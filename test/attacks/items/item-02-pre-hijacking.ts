import { setTimeout as delay } from 'node:timers/promises';
import { type Attack, check, equal } from '../attack';
import { Browser } from '../browser';
import { send } from '../client';

const ENDED_WITHIN_MS = 1_000;

/** Mails are no part of it: apps/gateway/test/identity/mails.e2e-spec.ts has the cases with mails. */
export const preHijacking: Attack = {
  item: '2',
  title: 'a repeated sign-up does not change or open an account',
  limitSeconds: 60,
  async run(target) {
    const { origin } = target;
    const owner = await Browser.signedIn(target);
    const other = await owner.another();
    const { email } = owner;
    const attackers = 'the password of an attacker';
    const signUp = (address: string) =>
      send(origin, 'POST', '/account/v1/sign-up', { body: { email: address, password: attackers } });
    const [again, capitals] = [await signUp(email), await signUp(email.toUpperCase())];
    const logIn = (password: string) =>
      send(origin, 'POST', '/account/v1/log-in', { body: { email, password } });
    const [attacker, second] = [await logIn(attackers), await logIn(owner.password)];
    const forgot = await send(origin, 'POST', '/account/v1/password/forgot', { body: { email } });
    const unknown = await send(origin, 'POST', '/account/v1/password/forgot', {
      body: { email: `nobody-${email}` },
    });
    const reset = await send(origin, 'POST', '/account/v1/password/reset', {
      body: { token: 'A'.repeat(43), password: attackers },
    });
    const confirm = await send(origin, 'POST', '/account/v1/email-check/confirm', {
      body: { token: 'A'.repeat(43) },
    });
    const change = await owner.send('POST', '/account/v1/password/change', {
      currentPassword: 'not the password',
      newPassword: attackers,
    });
    await target.admin('accounts', 'reset-password', '--email', email);
    await delay(ENDED_WITHIN_MS);
    const sessions = [
      await owner.send('GET', '/account/v1/session'),
      await other.send('GET', '/v1/status'),
    ].map(({ status }) => status);
    return [
      equal('the second sign-up opens nothing', again.headers['set-cookie'] ?? null, null),
      equal('a sign-up in capitals opens nothing', capitals.headers['set-cookie'] ?? null, null),
      equal('its password is wrong', attacker.status, 401),
      equal('the password of the owner is right', second.status, 200),
      equal(
        'a forgotten password reveals no account',
        [forgot.status, forgot.body],
        [unknown.status, unknown.body],
      ),
      equal('a guessed code sets no password', reset.status, 400),
      equal('a guessed code confirms no address', confirm.status, 400),
      check('a session changes no password without the old one', change.status === 400, change.status),
      equal('a reset ends every session', sessions, [401, 401]),
      equal('and the old password', (await logIn(owner.password)).status, 401),
    ];
  },
};
