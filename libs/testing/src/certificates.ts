import { type KeyObject, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

const DAY_MS = 86_400_000;

/** A certificate with its key, as texts in PEM. */
export interface TestCertificate {
  cert: string;
  /** PKCS #8. */
  key: string;
}

/** An authority of one test. */
export interface TestAuthority {
  cert: string;
  /**
   * A certificate that is valid for a day.
   * @param name its common name
   * @param hosts host names and IPv4 addresses for which it is valid as a server
   */
  issue(name: string, hosts?: readonly string[]): TestCertificate;
}

/** Makes an authority. Node cannot write certificates, and a test must not depend on a tool that can. */
export function testAuthority(name = 'test authority'): TestAuthority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = certificate({ name, issuer: name, publicKey, signer: privateKey, isAuthority: true });
  return {
    cert,
    issue: (subject, hosts = []) => {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return {
        cert: certificate({
          name: subject,
          issuer: name,
          publicKey: own.publicKey,
          signer: privateKey,
          hosts,
        }),
        key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}

interface Content {
  name: string;
  issuer: string;
  publicKey: KeyObject;
  signer: KeyObject;
  isAuthority?: boolean;
  hosts?: readonly string[];
}

/** An X.509 certificate (RFC 5280), signed with ECDSA and SHA-256. */
function certificate({ name, issuer, publicKey, signer, isAuthority, hosts = [] }: Content): string {
  const algorithm = sequence(oid([1, 2, 840, 10045, 4, 3, 2]));
  const now = Date.now();
  const content = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    commonName(issuer),
    sequence(utcTime(now - DAY_MS), utcTime(now + DAY_MS)),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...(isAuthority ? [authorityExtension()] : hosts.length > 0 ? [hostsOf(hosts)] : []))),
  );
  const signature = sign(
    'sha256',
    content,
    createPrivateKey(signer.export({ type: 'pkcs8', format: 'pem' })),
  );
  const whole = sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, Buffer.concat(parts));

/** A value of ASN.1 in DER. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function oid([first = 0, second = 0, ...rest]: readonly number[]): Buffer {
  const bytes = rest.flatMap((part) => {
    const groups = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return der(0x06, Buffer.of(first * 40 + second, ...bytes));
}

const commonName = (name: string): Buffer =>
  sequence(der(0x31, sequence(oid([2, 5, 4, 3]), der(0x0c, Buffer.from(name)))));

const utcTime = (ms: number): Buffer =>
  der(
    0x17,
    Buffer.from(
      `${new Date(ms)
        .toISOString()
        .replaceAll(/[-:T]|\.\d+/g, '')
        .slice(2)}`,
    ),
  );

const authorityExtension = (): Buffer =>
  sequence(oid([2, 5, 29, 19]), der(0x01, Buffer.of(0xff)), der(0x04, sequence(der(0x01, Buffer.of(0xff)))));

function hostsOf(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIP(host) === 4 ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)),
  );
  return sequence(oid([2, 5, 29, 17]), der(0x04, sequence(...names)));
}
