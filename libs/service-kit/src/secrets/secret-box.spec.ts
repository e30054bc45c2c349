import { randomBytes } from 'node:crypto';
import { SecretBox, type SecretKeys } from './secret-box';

const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [oldKey, newKey] = [key('old'), key('new')];
const keysOf = (text: string): SecretKeys =>
  new Map(
    text.split(',').map((entry) => [entry.split(':')[0]!, Buffer.from(entry.split(':')[1]!, 'base64')]),
  );
const box = (keys: string): SecretBox => new SecretBox(keysOf(keys), 'THING_KEYS', randomBytes);

describe('SecretBox', () => {
  const secret = randomBytes(32).toString('base64');
  const sealed = box(oldKey).seal(secret, 'wh_1');

  it('returns the sealed text and never the same bytes twice', () => {
    expect(box(oldKey).open(sealed, 'wh_1')).toBe(secret);
    expect(box(oldKey).seal(secret, 'wh_1').sealed).not.toEqual(sealed.sealed);
    expect(Buffer.from(sealed.sealed).includes(secret)).toBe(false);
  });

  it('seals with the first key and opens with all keys', () => {
    const both = box(`${newKey},${oldKey}`);
    expect(both.seal(secret, 'wh_1').keyId).toBe('new');
    expect(both.open(sealed, 'wh_1')).toBe(secret);
    expect(() => box(newKey).open(sealed, 'wh_1')).toThrow('THING_KEYS');
  });

  it('uses other keys from one secret to the next', () => {
    const one = box(oldKey);
    one.use(keysOf(`${newKey},${oldKey}`));
    expect(one.seal(secret, 'wh_1').keyId).toBe('new');
    expect(one.open(sealed, 'wh_1')).toBe(secret);
  });

  it('opens nothing that changed or belongs to another record', () => {
    const changed = Buffer.from(sealed.sealed);
    changed.writeUInt8(changed.readUInt8(40) ^ 1, 40);
    expect(() => box(oldKey).open({ keyId: 'old', sealed: changed }, 'wh_1')).toThrow();
    expect(() => box(oldKey).open(sealed, 'wh_2')).toThrow();
  });
});
