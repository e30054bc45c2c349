import { type Attack, equal, within } from '../attack';
import { Browser } from '../browser';
import { send } from '../client';
import { until } from '../until';

const REVOKED_WITHIN_MS = 1_000;

export const sessions: Attack = {
  item: '13',
  title: 'sessions belong to their account and to their origin',
  limitSeconds: 60,
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
    const endedAtMs = performance.now();
    const [after, v1] = await until(
      'the end of the session',
      async () => {
        const paths = ['/account/v1/session', '/v1/status'];
        const statuses = await Promise.all(paths.map((each) => other.send('GET', each)));
        return statuses.every(({ status }) => status === 401) ? statuses : undefined;
      },
      5_000,
      50,
    );
    const endedMs = performance.now() - endedAtMs;
    const made = await owner.send('POST', '/account/v1/keys', { name: 'attack' });
    const audit = await owner.send('GET', '/account/v1/audit');
    const created = ((audit.body['entries'] ?? []) as Record<string, unknown>[]).find(
      ({ action }) => action === 'key_created',
    );
    const foreignAudit = await stranger.send('GET', '/account/v1/audit');
    const foreignActions = ((foreignAudit.body['entries'] ?? []) as Record<string, unknown>[]).filter(
      ({ address }) => address === owner.address,
    );
    const guessed = await send(origin, 'GET', '/v1/status', { cookie: `plimsoll_session=${'A'.repeat(43)}` });
    return [
      equal('both sessions are listed', list.length, 2),
      equal('a page of another origin is refused', foreign.body['code'], 'foreign_origin'),
      equal('an API key manages no keys', withKey.status, 401),
      equal('a wrong password confirms nothing', wrong.status, 400),
      equal('a stranger ends no session', deleted.status, 404),
      equal('the owner ends it', ended.status, 200),
      equal('the session is refused', [after?.status, v1?.status], [401, 401]),
      within('within a second', endedMs, REVOKED_WITHIN_MS),
      equal('a recent log-in may create a key', made.status, 201),
      equal(
        'the audit log has actor and origin of the key',
        [created?.['actor'], created?.['address']],
        ['session', owner.address],
      ),
      equal('a stranger reads nothing of it', foreignActions, []),
      equal('a guessed cookie is no session', guessed.status, 401),
    ];
  },
};
