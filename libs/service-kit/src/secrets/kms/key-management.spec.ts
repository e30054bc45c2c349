import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSecretKeys } from '../secret-keys';
import { KMS_FORM } from '../../config/kms-form';
import { keyManagementOf } from './key-management-of';

const PURPOSE = 'plimsoll:THING_SECRET_KEYS:one';
const ARN = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

type Handler = (request: IncomingMessage, body: string) => [status: number, body: object];

/** A server in place of a vendor's. It checks each request against the published format. */
async function serve(handle: Handler): Promise<{ url: string; server: Server }> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [status, body] = handle(request, Buffer.concat(chunks).toString());
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** The vendor's side: encrypts with a key of its own, and binds the context. */
const master = randomBytes(32);
function encrypt(plaintext: string, context: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', master, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(Buffer.from(plaintext, 'base64')), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}
function decrypt(ciphertext: string, context: string): string | null {
  try {
    const bytes = Buffer.from(ciphertext, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', master, bytes.subarray(0, 12)).setAAD(
      Buffer.from(context),
    );
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('base64');
  } catch {
    return null;
  }
}

describe('AWS KMS', () => {
  let kms: { url: string; server: Server };
  let env: NodeJS.ProcessEnv;
  let seen: string[] = [];

  /** Verifies the signature from the bytes that arrived, as AWS documents it. */
  function isSigned(request: IncomingMessage, body: string, secret: string): boolean {
    const [, keyId, scope, names, signature] =
      /^AWS4-HMAC-SHA256 Credential=(\w+)\/([\w/-]+), SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
        request.headers.authorization ?? '',
      ) ?? [];
    const time = String(request.headers['x-amz-date']);
    const isFresh = /^\d{8}T\d{6}Z$/.test(time) && scope?.startsWith(time.slice(0, 8));
    if (!keyId || !scope || !names || !isFresh || !names.split(';').includes('host')) return false;
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    const canonical = `${request.method}\n${request.url}\n\n${names
      .split(';')
      .map((name) => `${name}:${String(request.headers[name])}\n`)
      .join('')}\n${names}\n${hash(body)}`;
    const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash(canonical)}`;
    let key: Buffer = Buffer.from(`AWS4${secret}`);
    for (const part of [...scope.split('/'), toSign]) key = createHmac('sha256', key).update(part).digest();
    return key.toString('hex') === signature;
  }

  beforeAll(async () => {
    kms = await serve((request, body) => {
      if (request.method === 'GET' && request.url === '/v1/credentials')
        return request.headers.authorization === 'pod-token'
          ? [200, { AccessKeyId: 'AKIDPOD', SecretAccessKey: 'pod', Token: 'session', Expiration: '' }]
          : [401, {}];
      const isPod = String(request.headers.authorization).includes('Credential=AKIDPOD/');
      const isTemporary = request.headers['x-amz-security-token'] === 'session';
      if (!isSigned(request, body, isPod ? 'pod' : 'secret') || isPod !== isTemporary)
        return [400, { __type: 'InvalidSignatureException', message: 'The request signature is wrong' }];
      if (request.url !== '/' || request.headers['content-type'] !== 'application/x-amz-json-1.1')
        return [404, { __type: 'UnknownOperationException' }];
      const target = String(request.headers['x-amz-target']);
      seen.push(target);
      const { KeyId, EncryptionContext, ...rest } = JSON.parse(body) as Record<string, unknown>;
      const context = JSON.stringify(EncryptionContext);
      if (KeyId !== ARN) return [400, { __type: 'NotFoundException' }];
      if (target === 'TrentService.Encrypt')
        return [200, { KeyId, CiphertextBlob: encrypt(String(rest['Plaintext']), context) }];
      const Plaintext = decrypt(String(rest['CiphertextBlob']), context);
      return Plaintext === null
        ? [400, { __type: 'InvalidCiphertextException' }]
        : [200, { KeyId, Plaintext }];
    });
  });
  beforeEach(() => {
    seen = [];
    env = {
      AWS_ENDPOINT_URL_KMS: kms.url,
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
    };
  });
  afterAll(() => kms.server.close());
  const management = (arn = ARN) => keyManagementOf(`aws:${arn}`, () => env)!;

  it('wraps and unwraps a key with signed requests', async () => {
    const key = randomBytes(32);
    const wrapped = await management().wrap(key, PURPOSE);
    expect(await management().unwrap(wrapped, PURPOSE)).toEqual(key);
    expect(seen).toEqual(['TrentService.Encrypt', 'TrentService.Decrypt']);
  });

  it('uses the credentials of the container', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'aws-'));
    const token = path.join(folder, 'token');
    writeFileSync(token, 'pod-token\n');
    env = {
      AWS_ENDPOINT_URL_KMS: kms.url,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${kms.url}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: token,
    };
    const key = randomBytes(32);
    expect(await management().unwrap(await management().wrap(key, PURPOSE), PURPOSE)).toEqual(key);
    rmSync(folder, { recursive: true });
  });

  it('says what failed', async () => {
    const wrapped = await management().wrap(randomBytes(32), PURPOSE);
    await expect(management().unwrap(wrapped, 'other')).rejects.toThrow(
      'AWS KMS responded 400: {"__type":"InvalidCiphertextException"}',
    );
    await expect(management(`${ARN}0`).unwrap(wrapped, PURPOSE)).rejects.toThrow('NotFoundException');
    env['AWS_SECRET_ACCESS_KEY'] = 'another';
    await expect(management().unwrap(wrapped, PURPOSE)).rejects.toThrow('InvalidSignatureException');
    env = {};
    await expect(management().unwrap(wrapped, PURPOSE)).rejects.toThrow('AWS_ACCESS_KEY_ID');
  });
});

describe('Vault transit', () => {
  let vault: { url: string; server: Server };
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    vault = await serve((request, body) => {
      if (request.headers['x-vault-token'] !== 'token' || request.headers['x-vault-namespace'] !== 'team')
        return [403, { errors: ['permission denied'] }];
      const [, operation] = /^\/v1\/transit\/(encrypt|decrypt)\/plimsoll$/.exec(request.url ?? '') ?? [];
      if (request.method !== 'POST' || operation === undefined) return [404, { errors: [] }];
      const input = JSON.parse(body) as Record<string, string>;
      const context = input['associated_data'] ?? '';
      if (operation === 'encrypt')
        return [200, { data: { ciphertext: `vault:v1:${encrypt(input['plaintext'] ?? '', context)}` } }];
      const [, ciphertext = ''] = /^vault:v1:(.+)$/.exec(input['ciphertext'] ?? '') ?? [];
      const plaintext = decrypt(ciphertext, context);
      return plaintext === null
        ? [400, { errors: ['cipher: message authentication failed'] }]
        : [200, { data: { plaintext } }];
    });
  });
  beforeEach(() => (env = { VAULT_TOKEN: 'token', VAULT_NAMESPACE: 'team' }));
  afterAll(() => vault.server.close());
  const management = (key = 'plimsoll') =>
    keyManagementOf(`vault:${vault.url}/transit/keys/${key}`, () => env)!;

  it('wraps and unwraps a key, with the ciphertext of Vault as it is', async () => {
    const key = randomBytes(32);
    const wrapped = await management().wrap(key, PURPOSE);
    expect(wrapped).toMatch(/^vault:v1:/);
    expect(await management().unwrap(wrapped, PURPOSE)).toEqual(key);
  });

  it('reads a renewed token again', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'vault-'));
    const file = path.join(folder, 'token');
    writeFileSync(file, 'expired');
    env = { VAULT_TOKEN_FILE: file, VAULT_NAMESPACE: 'team' };
    const kms = management();
    await expect(kms.wrap(randomBytes(32), PURPOSE)).rejects.toThrow(
      'Vault responded 403: {"errors":["permission denied"]}',
    );
    writeFileSync(file, 'token\n');
    expect(await kms.wrap(randomBytes(32), PURPOSE)).toMatch(/^vault:v1:/);
    rmSync(folder, { recursive: true });
  });

  it('says what failed', async () => {
    const wrapped = await management().wrap(randomBytes(32), PURPOSE);
    await expect(management().unwrap(wrapped, 'other')).rejects.toThrow('message authentication failed');
    await expect(management('none').unwrap(wrapped, PURPOSE)).rejects.toThrow('Vault responded 404');
    env = {};
    await expect(management().unwrap(wrapped, PURPOSE)).rejects.toThrow('VAULT_TOKEN');
    const { url, server } = await serve(() => [200, {}]);
    await new Promise((resolve) => server.close(resolve));
    const gone = keyManagementOf(`vault:${url}/transit/keys/x`, () => ({ VAULT_TOKEN: 'token' }))!;
    await expect(gone.unwrap(wrapped, PURPOSE)).rejects.toThrow('Vault is unavailable');
  });
});

describe('a file of master keys', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'master-keys-'));
  const file = path.join(folder, 'keys');
  const line = (): string => randomBytes(32).toString('base64');
  const [first, second] = [line(), line()];
  const management = keyManagementOf(`file:${file}`)!;
  afterAll(() => rmSync(folder, { recursive: true }));

  it('wraps with the first key and unwraps with all', async () => {
    writeFileSync(file, `${first}\n`);
    const key = randomBytes(32);
    const wrapped = await management.wrap(key, PURPOSE);
    writeFileSync(file, `${second}\n${first}\n`);
    expect(await management.unwrap(wrapped, PURPOSE)).toEqual(key);
    writeFileSync(file, second);
    await expect(management.unwrap(wrapped, PURPOSE)).rejects.toThrow(`no key in ${file} opens it`);
  });

  it('unwraps nothing for another purpose', async () => {
    writeFileSync(file, first);
    const wrapped = await management.wrap(randomBytes(32), PURPOSE);
    await expect(management.unwrap(wrapped, 'other')).rejects.toThrow('no key');
  });

  it('names a file that is wrong or missing', async () => {
    writeFileSync(file, 'short\n');
    await expect(management.wrap(randomBytes(32), PURPOSE)).rejects.toThrow(`${file} must have lines`);
    const missing = keyManagementOf(`file:${file}.missing`)!;
    await expect(missing.unwrap('x', PURPOSE)).rejects.toThrow('cannot be read');
  });

  it('opens the keys of a variable, beside keys that are not wrapped', async () => {
    writeFileSync(file, first);
    const [wrapped, plain] = [randomBytes(32), randomBytes(32)];
    const text = `one:kms:${await management.wrap(wrapped, PURPOSE)},two:${plain.toString('base64')}`;
    const read = (value: string, kms = management as typeof management | null) =>
      readSecretKeys(value, 'THING_SECRET_KEYS', kms);
    expect([...(await read(text))]).toEqual([
      ['one', wrapped],
      ['two', plain],
    ]);
    await expect(read(text, null)).rejects.toThrow('SECRET_KEYS_KMS must be set');
    await expect(read(text.replace('one:', 'other:'))).rejects.toThrow(
      "a key 'other' that cannot be unwrapped",
    );
    await expect(read(`${text},two:${plain.toString('base64')}`)).rejects.toThrow('each id once');
    await expect(read('one')).rejects.toThrow('<id>:<base64 of 32 bytes>');
  });
});

describe('KMS_FORM', () => {
  it('accepts the three forms and the empty text', () => {
    const valid = ['', 'file:/etc/keys', `aws:${ARN}`, 'vault:https://vault.example:8200/transit/keys/a'];
    for (const text of valid) expect([text, KMS_FORM.test(text)]).toEqual([text, true]);
    for (const text of ['file:keys', 'aws:1234', 'vault:https://vault.example/keys/a', 'gcp:x'])
      expect([text, KMS_FORM.test(text)]).toEqual([text, false]);
  });
});
