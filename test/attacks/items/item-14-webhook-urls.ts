import { startReceiver } from '@plimsoll/testing';
import { type Attack, type Check, check, equal } from '../attack';
import { send } from '../client';
import type { Target } from '../target';

/** URLs with the reason for which each is refused. None of them needs a look-up of a name. */
const HOSTILE: readonly [string, string][] = [
  ['https://example.com :443/', 'not_a_url'],
  ['https://example.com:65536/', 'not_a_url'],
  ['https://[fe80::1%25eth0]/', 'not_a_url'],
  ['https://256.1.1.1/', 'not_a_url'],
  ['', 'not_a_url'],
  ['//example.com/', 'not_a_url'],
  ['ftp://example.com/', 'not_https'],
  ['file:///etc/passwd', 'not_https'],
  ['javascript:alert(1)', 'not_https'],
  ['data:text/plain,x', 'not_https'],
  ['gopher://127.0.0.1:6379/_FLUSHALL', 'not_https'],
  // npm start permits http for loopback only.
  ['http://93.184.215.14/hook', 'not_https'],
  ['http://[2606:4700::1111]/hook', 'not_https'],
  ['https://exa\tmple.com/', 'invalid_character'],
  ['https://example.com/a b', 'invalid_character'],
  [' https://example.com/', 'invalid_character'],
  ['https://example.com/\u0000', ''],
  ['https://example.com/\r\nx-evil: 1', 'invalid_character'],
  ['https://example.com/\u202ecod', 'invalid_character'],
  ['https://example.com\\@10.0.0.1/', ''],
  ['https://example.com/a\\b', 'invalid_character'],
  ['https:example.com/', 'missing_slashes'],
  ['https:/example.com/', 'missing_slashes'],
  ['https://user:secret@example.com/', 'user_info'],
  ['https://user@example.com/', 'user_info'],
  ['https://@example.com/', 'user_info'],
  ['https://example.com./', 'trailing_dot'],
  ['https://exam%70le.com/', 'ambiguous_host'],
  ['https://example。com/', 'ambiguous_host'],
  ['https://９３.１８４.２１５.１４/', 'ambiguous_host'],
  ['https://1572395022/', 'ambiguous_host'],
  ['https://0x5db8d70e/', 'ambiguous_host'],
  ['https://0135.0270.0327.016/', 'ambiguous_host'],
  [`https://example.com/${'a'.repeat(2_048)}`, ''],
  ['https://intranet/', 'private_name'],
  ['https://x.local/', 'private_name'],
  ['https://x.internal/', 'private_name'],
  ['https://x.home.arpa/', 'private_name'],
  ['https://x.test/', 'private_name'],
  ['https://x.invalid/', 'private_name'],
  ['https://x.onion/', 'private_name'],
  ['https://x.example/', 'private_name'],
  ['https://X.LOCAL/', 'private_name'],
  ['https://kubernetes.default.svc/', 'private_name'],
  ['https://postgres.plimsoll.svc.cluster.local/', 'private_name'],
  ['https://metadata.google.internal/', 'private_name'],
  ['https://metadata.goog/', 'private_name'],
  ['https://169.254.169.254/latest/meta-data/', ''],
  ['https://[fd00:ec2::254]/', ''],
  ['https://10.0.0.1/', ''],
  ['https://192.168.1.1/', ''],
  ['https://172.16.0.1/', ''],
  ['https://100.64.0.1/', ''],
  ['https://0.0.0.0/', ''],
  ['https://255.255.255.255/', ''],
  ['https://224.0.0.1/', ''],
  ['https://[::]/', ''],
  ['https://[::ffff:10.0.0.1]/', ''],
  ['https://[64:ff9b::a00:1]/', ''],
  ['https://[2002:a00:1::]/', ''],
  ['https://[fe80::1]/', ''],
  ['https://0x0a000001/', ''],
  ['https://167772161/', ''],
  ['https://012.0.0.1/', ''],
  ['https://１０.０.０.１/', ''],
];

/** Blocked by the Fetch standard, databases, orchestration. */
const PORTS = [
  0, 1, 22, 25, 53, 110, 389, 465, 587, 993, 2049, 5060, 6000, 6667, 10_080, 1433, 1521, 3306, 5432, 6379,
  9042, 9092, 9200, 11_211, 27_017, 2375, 2379, 6443, 8500, 10_250,
];

export const webhookUrls: Attack = {
  item: '14',
  title: 'no webhook reaches an internal address',
  limitSeconds: 60,
  async run(target) {
    const { key } = await target.account('enterprise');
    const receiver = await startReceiver();
    try {
      return await attack(target, key, `${receiver.url}/hook`);
    } finally {
      await receiver.close();
    }
  },
};

async function attack({ origin, account }: Target, key: string, valid: string): Promise<Check[]> {
  const events = ['alert.created'];
  const create = (url: string) => send(origin, 'POST', '/v1/webhooks', { key, body: { url, events } });
  // Otherwise the rejections could have another reason.
  const created = await create(valid);
  const { id } = (created.body['webhook'] ?? created.body) as { id?: string };
  const checks: Check[] = [equal('a receiver on loopback is accepted', created.status, 201)];
  const refuses = async (url: string, reason: string): Promise<void> => {
    const { status, body } = await create(url);
    const codes = ((body['errors'] ?? []) as { code: string }[]).map(({ code }) => code);
    const isRefused = status === 400 && (reason === '' || codes.includes(reason));
    checks.push(check(`${shown(url)} is refused ${reason}`, isRefused, `${status} ${codes.join(' ')}`));
  };
  for (const [url, reason] of HOSTILE) await refuses(url, reason);
  for (const port of PORTS) {
    await refuses(`https://example.com:${port}/`, 'refused_port');
    await refuses(`http://127.0.0.1:${port}/`, 'refused_port');
  }
  await refuses(`${origin}/v1/status`, 'own_url');
  const patch = (url: string, by = key) =>
    send(origin, 'PATCH', `/v1/webhooks/${id}`, { key: by, body: { url } });
  const stranger = (await account('enterprise')).key;
  checks.push(
    equal('a change to an internal address is refused', (await patch('https://10.0.0.1/')).status, 400),
    equal('a stranger changes no webhook', (await patch(valid, stranger)).status, 404),
    equal('the URL is unchanged', await urlOf(origin, key), valid),
  );
  return checks;
}

async function urlOf(origin: string, key: string): Promise<unknown> {
  const { body } = await send(origin, 'GET', '/v1/webhooks', { key });
  return ((body['webhooks'] ?? []) as { url: string }[])[0]?.url;
}

const shown = (url: string): string => JSON.stringify(url.slice(0, 60));
