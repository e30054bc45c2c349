import { type Attack, equal } from '../attack';
import { Browser, send } from '../client';

export const preHijacking: Attack = {
  item: '2',
  title: 'a repeated sign-up does not change or open an account',
  async run(target) {
    const owner = await Browser.signedIn(target);
    const { email } = owner;
    const again = await send(target.origin, 'POST', '/account/v1/sign-up', {
      body: { email, password: 'the password of an attacker' },
    });
    const logIn = (password: string) =>
      send(target.origin, 'POST', '/account/v1/log-in', { body: { email, password } });
    const [attacker, second] = [await logIn('the password of an attacker'), await logIn(owner.password)];
    const forgot = await send(target.origin, 'POST', '/account/v1/password/forgot', { body: { email } });
    const unknown = await send(target.origin, 'POST', '/account/v1/password/forgot', {
      body: { email: `nobody-${email}` },
    });
    const reset = await send(target.origin, 'POST', '/account/v1/password/reset', {
      body: { token: 'A'.repeat(43), password: 'the password of an attacker' },
    });
    return [
      equal('the second sign-up opens nothing', again.headers['set-cookie'] ?? null, null),
      equal('its password is wrong', attacker.status, 401),
      equal('the password of the owner is right', second.status, 200),
      equal(
        'a forgotten password reveals no account',
        [forgot.status, forgot.body],
        [unknown.status, unknown.body],
      ),
      equal('a guessed code is rejected', reset.status, 400),
    ];
  },
};
