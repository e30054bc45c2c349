import { type Attack, check, equal } from '../attack';
import { Browser, anyAddress, send } from '../client';

const GUESSES = 12;

export const lockout: Attack = {
  item: '10',
  title: 'wrong guesses do not lock the owner out',
  async run(target) {
    const owner = await Browser.signedIn(target);
    const { email, password } = owner;
    const address = anyAddress();
    const logIn = (secret: string, from: string) =>
      send(target.origin, 'POST', '/account/v1/log-in', {
        body: { email, password: secret },
        address: from,
      });
    const guesses = [];
    for (let at = 0; at < GUESSES; at += 1) guesses.push(await logIn(`guess number ${at}`, address));
    const statuses = guesses.map(({ status }) => status);
    const [elsewhere, same] = [await logIn(password, anyAddress()), await logIn(password, address)];
    for (let at = 0; at < 20; at += 1) {
      await send(target.origin, 'POST', '/account/v1/password/forgot', { body: { email } });
    }
    const forgot = await owner.send('POST', '/account/v1/password/forgot', { email });
    const unknown = await logInUnknown(target.origin);
    return [
      check(
        'the client that guesses is delayed',
        statuses.includes(429),
        `429 after ${statuses.indexOf(429)}`,
      ),
      equal('the owner logs in from elsewhere', elsewhere.status, 200),
      equal('the guessing client waits also with the right password', same.status, 429),
      equal('requests of strangers do not exhaust the mails of the owner', forgot.status, 202),
      equal('an unknown account gets the same response', unknown, [401, 'invalid_credentials']),
    ];
  },
};

async function logInUnknown(origin: string): Promise<unknown[]> {
  const body = { email: 'nobody@example.com', password: 'guess number 0' };
  const { status, body: problem } = await send(origin, 'POST', '/account/v1/log-in', { body });
  return [status, problem['code']];
}
