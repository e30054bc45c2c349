import { setTimeout as delay } from 'node:timers/promises';
import { type Attack, equal } from '../attack';
import { Browser, send } from '../client';

const REVOKED_WITHIN_MS = 1_000;

export const sessions: Attack = {
  item: '13',
  title: 'sessions belong to their account and to their origin',
  async run(target) {
    const { origin } = target;
    const [owner, stranger] = [await Browser.signedIn(target), await Browser.signedIn(target)];
    const other = await owner.another();
    const list = (await owner.send('GET', '/account/v1/sessions')).body['sessions'] as {
      id: string;
      isCurrent: boolean;
    }[];
    const id = list.find(({ isCurrent }) => !isCurrent)!.id;
    const foreign = await send(origin, 'POST', '/account/v1/keys', {
      cookie: owner.cookie,
      body: { name: 'foreign' },
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://attacker.example' },
    });
    const { key } = await target.account('enterprise');
    const withKey = await send(origin, 'GET', '/account/v1/keys', { key });
    const wrong = await owner.send('POST', '/account/v1/session/confirm', { password: 'not the password' });
    const deleted = await stranger.send('DELETE', `/account/v1/sessions/${id}`);
    const ended = await owner.send('DELETE', `/account/v1/sessions/${id}`);
    await delay(REVOKED_WITHIN_MS);
    const [after, v1] = [
      await other.send('GET', '/account/v1/session'),
      await other.send('GET', '/v1/status'),
    ];
    const guessed = await send(origin, 'GET', '/v1/status', { cookie: `plimsoll_session=${'A'.repeat(43)}` });
    return [
      equal('both sessions are listed', list.length, 2),
      equal('a page of another origin is refused', foreign.body['code'], 'foreign_origin'),
      equal('an API key manages no keys', withKey.status, 401),
      equal('a wrong password confirms nothing', wrong.status, 400),
      equal('a stranger ends no session', deleted.status, 404),
      equal('the owner ends it', ended.status, 200),
      equal('it stops within a second', [after.status, v1.status], [401, 401]),
      equal('a guessed cookie is no session', guessed.status, 401),
    ];
  },
};
