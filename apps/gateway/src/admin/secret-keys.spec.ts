import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSecretBox } from '@plimsoll/service-kit';
import { UsageError, parseCommand } from './parse-command';
import { createSecretKey } from './secret-keys';

describe('secret-keys create', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'secret-keys-'));
  const kms = `file:${path.join(folder, 'master')}`;
  const command = { name: 'secret-keys create', variable: 'WEBHOOK_SECRET_KEYS', id: '2026-12' } as const;
  const entryOf = async (management: string): Promise<string> =>
    ((await createSecretKey(command, management)) as { entry: string }).entry;
  afterAll(() => rmSync(folder, { recursive: true }));

  it('creates an entry that a service opens, with and without a key management', async () => {
    writeFileSync(path.join(folder, 'master'), randomBytes(32).toString('base64'));
    const [plain, wrapped] = [await entryOf(''), await entryOf(kms)];
    expect(plain).toMatch(/^2026-12:[A-Za-z0-9+/]{43}=$/);
    expect(wrapped).toMatch(/^2026-12:kms:/);
    const box = await openSecretBox(wrapped, 'WEBHOOK_SECRET_KEYS', kms);
    expect(box.open(box.seal('secret', 'wh_1'), 'wh_1')).toBe('secret');
    await expect(openSecretBox(wrapped, 'RECEIPT_SECRET_KEYS', kms)).rejects.toThrow(
      "RECEIPT_SECRET_KEYS has a key '2026-12' that cannot be unwrapped",
    );
  });

  it('requires a variable and an id of the right form', () => {
    const parse = (line: string) => parseCommand(line.split(' '), new Date());
    expect(parse('secret-keys create --variable WEBHOOK_SECRET_KEYS --id 2026-12')).toEqual(command);
    expect(() => parse('secret-keys create --variable OTHER --id 1')).toThrow(UsageError);
    expect(() => parse('secret-keys create --variable WEBHOOK_SECRET_KEYS --id a:b')).toThrow(UsageError);
  });
});
