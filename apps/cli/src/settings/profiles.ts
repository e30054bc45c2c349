import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT, Failure } from '../failure';

/** A key with the address where it is valid. */
export interface Profile {
  apiKey: string;
  url?: string;
}

interface Stored {
  current: string | null;
  profiles: Record<string, Profile>;
}

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The profiles of the user, in a file that only the user can read. */
export class Profiles {
  constructor(private readonly file: string) {}

  get current(): string | null {
    return this.read().current;
  }

  names(): string[] {
    return Object.keys(this.read().profiles).sort();
  }

  /** @throws Failure for an unknown name */
  get(name: string): Profile {
    const { profiles } = this.read();
    const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    if (profile) return profile;
    throw new Failure(
      EXIT.usage,
      'profile_unknown',
      `There is no profile ${name}. Create it with: plimsoll login --profile ${name}`,
    );
  }

  /** Stores a profile and makes it the current one. */
  set(name: string, profile: Profile): void {
    if (!NAME.test(name))
      throw new Failure(
        EXIT.usage,
        'profile_name_invalid',
        'The name of a profile has 1 to 64 letters, digits, - and _.',
      );
    const { profiles } = existsSync(this.file) ? this.read(true) : { profiles: {} };
    this.write({ current: name, profiles: { ...profiles, [name]: profile } });
  }

  use(name: string): void {
    this.get(name);
    this.write({ ...this.read(), current: name });
  }

  remove(name: string): void {
    this.get(name);
    const { current, profiles } = this.read();
    const kept = Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name));
    this.write({ current: current === name ? null : current, profiles: kept });
  }

  /** @param isReplaced whether the caller writes the file again, which corrects its mode */
  private read(isReplaced = false): Stored {
    if (!existsSync(this.file)) return { current: null, profiles: {} };
    if (!isReplaced && process.platform !== 'win32' && (statSync(this.file).mode & OTHERS) !== 0)
      throw new Failure(
        EXIT.usage,
        'profiles_readable',
        `Other users can read ${this.file}. Run: chmod 600 '${this.file}'. Then replace the keys in it.`,
      );
    try {
      return storedOf(JSON.parse(readFileSync(this.file, 'utf8')));
    } catch {
      throw new Failure(
        EXIT.usage,
        'profiles_invalid',
        `${this.file} has no profiles in JSON. Remove it, and log in again.`,
      );
    }
  }

  private write(stored: Stored): void {
    mkdirSync(path.dirname(this.file), { recursive: true, mode: 0o700 });
    const draft = `${this.file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: OWNER_ONLY });
    // A draft that an earlier process left keeps its mode.
    chmodSync(draft, OWNER_ONLY);
    renameSync(draft, this.file);
  }
}

/** @throws TypeError */
function storedOf(value: unknown): Stored {
  const { current, profiles } = value as Stored;
  for (const { apiKey } of Object.values(profiles))
    if (typeof apiKey !== 'string') throw new TypeError('A profile has no key.');
  return { current: current ?? null, profiles };
}
