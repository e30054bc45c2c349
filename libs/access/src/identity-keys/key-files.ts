import { type KeyObject, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The keys of a service: Ed25519 to sign identities, X25519 to agree on the keys of call proofs. */
export interface KeyPair<Encoded = KeyObject> {
  id: string;
  service: string;
  signing: Encoded;
  agreement: Encoded;
  /** Unix milliseconds from which the service uses them. Before, others only know them. */
  fromMs: number;
  /** Unix milliseconds after which they are invalid. Null: no end. */
  untilMs: number | null;
}

type Stored = KeyPair<string>;
type Half = 'public' | 'private';

/** Times of a rotation. */
export interface Rotation {
  nowMs: number;
  /** When the new keys are used. */
  fromMs: number;
  /** How long the former ones stay valid after that. */
  overlapMs: number;
}

const PUBLIC_MODE = 0o644;
const PRIVATE_MODE = 0o600;
const FORBIDDEN: Record<Half, number> = { public: 0o022, private: 0o027 };

/** The file with the public keys of all services. */
export const publicFile = (folder: string): string => path.join(folder, 'public.json');
/** The file with the private keys of one service. */
export const privateFile = (folder: string, service: string): string =>
  path.join(folder, `${service}.private.json`);

/** @throws Error that names the file and what to do */
export function readKeys(file: string, half: Half): KeyPair[] {
  checkMode(file, half);
  return reading(file, () =>
    readStored(file).map((stored) => ({
      ...stored,
      signing: decoded(stored.signing, half),
      agreement: decoded(stored.agreement, half),
    })),
  );
}

/**
 * Creates keys for services that have none in the folder.
 * @returns the services that received keys
 */
export function createKeys(folder: string, services: readonly string[], nowMs: number): string[] {
  return locked(folder, () => {
    const missing = services.filter((service) => !existsSync(privateFile(folder, service)));
    for (const service of missing) addKey(folder, service, { nowMs, fromMs: 0, overlapMs: 0 });
    return missing;
  });
}

/**
 * Gives services new keys that they use from `fromMs` on, removes keys that have expired, and ends the
 * present ones after an overlap.
 * @returns the ids of the new keys
 */
export function rotateKeys(folder: string, services: readonly string[], rotation: Rotation): string[] {
  return locked(folder, () => services.map((service) => addKey(folder, service, rotation)));
}

/** Returns the services that have a private file in the folder, from its public keys. */
export function servicesOf(folder: string): string[] {
  const known = new Set(readStored(publicFile(folder)).map(({ service }) => service));
  return [...known].filter((service) => existsSync(privateFile(folder, service)));
}

function addKey(folder: string, service: string, { nowMs, fromMs, overlapMs }: Rotation): string {
  const [signing, agreement] = [generateKeyPairSync('ed25519'), generateKeyPairSync('x25519')];
  const all = existsSync(publicFile(folder)) ? readStored(publicFile(folder)) : [];
  const count = all.filter((key) => key.service === service).length;
  const common = { id: `${service}-${nowMs.toString(36)}-${count}`, service, fromMs, untilMs: null };
  const next = (file: string, half: Half): void => {
    const before = existsSync(file) ? readStored(file) : [];
    const kept = before
      .filter(({ untilMs }) => untilMs === null || untilMs > nowMs)
      .map((key) =>
        key.service === service
          ? { ...key, untilMs: Math.min(key.untilMs ?? Infinity, fromMs + overlapMs) }
          : key,
      );
    const key = half === 'public' ? 'publicKey' : 'privateKey';
    const stored = { signing: encoded(signing[key], half), agreement: encoded(agreement[key], half) };
    write(file, half, [...kept, { ...common, ...stored }]);
  };
  // The public half first: no process may use a key that others cannot know yet.
  next(publicFile(folder), 'public');
  next(privateFile(folder, service), 'private');
  return common.id;
}

function encoded(key: KeyObject, half: Half): string {
  const der =
    half === 'public'
      ? key.export({ format: 'der', type: 'spki' })
      : key.export({ format: 'der', type: 'pkcs8' });
  return der.toString('base64');
}

function decoded(text: string, half: Half): KeyObject {
  const key = Buffer.from(text, 'base64');
  return half === 'public'
    ? createPublicKey({ key, format: 'der', type: 'spki' })
    : createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

function readStored(file: string): Stored[] {
  return reading(file, () => (JSON.parse(readFileSync(file, 'utf8')) as { keys: Stored[] }).keys);
}

function reading<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const advice = existsSync(file)
      ? 'Copy it again from where the keys were created.'
      : 'Create the keys: npm run admin -- identity-keys create.';
    throw new Error(`The identity keys in ${file} cannot be read. ${advice}`, { cause });
  }
}

/** Other users of the machine may read public keys, and change none. Windows has no such modes. */
function checkMode(file: string, half: Half): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if (process.platform === 'win32' || (mode & FORBIDDEN[half]) === 0) return;
  const right = half === 'private' ? '0640 or less' : '0644 or less';
  throw new Error(
    `Other users can ${half === 'private' ? 'read or ' : ''}change ${file}. Set its mode to ${right}.`,
  );
}

/** Writes the whole file or nothing, so that no process reads a part. */
function write(file: string, half: Half, keys: readonly Stored[]): void {
  const temporary = `${file}.${process.pid}.tmp`;
  const mode = half === 'public' ? PUBLIC_MODE : PRIVATE_MODE;
  writeFileSync(temporary, `${JSON.stringify({ keys }, null, 2)}\n`, { mode });
  renameSync(temporary, file);
}

/** Two commands at the same time would lose the keys of one. */
function locked<T>(folder: string, change: () => T): T {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = path.join(folder, 'changing');
  try {
    mkdirSync(lock);
  } catch (cause) {
    throw new Error(`Another command changes these keys. If none runs, remove ${lock}.`, { cause });
  }
  try {
    return change();
  } finally {
    rmdirSync(lock);
  }
}
