import { type Attack, type Check, equal } from '../attack';
import { send } from '../client';

const HOSTILE: readonly string[] = [
  'http://example.com/hook',
  'https://example.com :443/',
  'https://exa\tmple.com/',
  'https://example.com\\@10.0.0.1/',
  'https:example.com/',
  'https:/example.com/',
  'https://user:secret@example.com/',
  'https://user@example.com/',
  'https://１２７.０.０.１/',
  'https://example.com./',
  `https://example.com/${'a'.repeat(2_048)}`,
  'https://intranet/',
  'https://x.local/',
  'https://x.internal/',
  'https://x.home.arpa/',
  'https://x.test/',
  'https://x.invalid/',
  'https://x.onion/',
  'https://kubernetes.default.svc/',
  'https://metadata.google.internal/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/',
  'https://10.0.0.1/',
  'https://192.168.1.1/',
  'https://172.16.0.1/',
  'https://100.64.0.1/',
  'https://0.0.0.0/',
  'https://[::ffff:10.0.0.1]/',
  'https://[fe80::1]/',
  'https://0x0a000001/',
  'https://167772161/',
  'https://012.0.0.1/',
  'https://example.com:22/',
  'https://example.com:25/',
  'https://example.com:6000/',
  'https://example.com:5432/',
  'https://example.com:6379/',
  'https://example.com:9092/',
  'https://example.com:10250/',
  'https://example.com:0/',
  'https://example.com:65536/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://exam%70le.com/',
  'https://example.com/a b',
  'https://example.com/\u0000',
  'https://example.com/\r\nx-evil: 1',
];

export const webhookUrls: Attack = {
  item: '14',
  title: 'no webhook reaches an internal address',
  async run({ origin, account }) {
    const { key } = await account('enterprise');
    const create = (url: string) =>
      send(origin, 'POST', '/v1/webhooks', { key, body: { url, events: ['alert.created'] } });
    // Otherwise the rejections could have another reason.
    const valid = await create('https://example.com/hook');
    const checks: Check[] = [equal('a public address is accepted', valid.status, 201)];
    for (const url of [...HOSTILE, `${origin}/v1/status`]) {
      const { status } = await create(url);
      checks.push(equal(`${JSON.stringify(url.slice(0, 60))} is rejected`, status, 400));
    }
    return checks;
  },
};
