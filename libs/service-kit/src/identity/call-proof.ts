import {
  type KeyObject,
  createSecretKey,
  diffieHellman,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { hmacSha256 } from './hmac-sha256';

/** The parts of a request that a proof binds. */
export interface ProvenCall {
  method: string;
  /** The request target, with its query. */
  path: string;
  /** The signed identity that the request has. */
  identity: string;
}

/** The parts of a proof before its MAC. */
export interface ProofHead {
  /** Id of the key of the calling service. */
  from: string;
  /** Id of the key of the called service. */
  to: string;
  /** Unix seconds. */
  issuedAt: number;
  /** Random name of the calling process. With the number, it is the nonce. */
  process: string;
  /** Higher with each request of the process to this key. */
  number: number;
}

type Mac = (text: string) => string;

const MAC_KEY_BYTES = 32;
const PROCESS_BYTES = 12;
const PROOF = /^([\w-]{1,64})\.([\w-]{1,64})\.(\d{1,12})\.([\w-]{16})\.([1-9]\d{0,14})\.([\w-]{43})$/;

/** Returns a random name of a process. */
export const newProcessName = (): string => randomBytes(PROCESS_BYTES).toString('base64url');

/**
 * Returns the MAC function for calls between two keys. Both services derive the same secret, each from its own
 * private key and the other's public one, so that no third service can make or check a proof.
 */
export function callMac(own: KeyObject, other: KeyObject, { from, to }: Pick<ProofHead, 'from' | 'to'>): Mac {
  const shared = diffieHellman({ privateKey: own, publicKey: other });
  const key = hkdfSync('sha256', shared, '', `plimsoll call ${from} ${to}`, MAC_KEY_BYTES);
  return hmacSha256(createSecretKey(Buffer.from(key)));
}

/** Returns `<from>.<to>.<issuedAt>.<process>.<number>.<MAC>`. */
export function proofOf(head: ProofHead, call: ProvenCall, mac: Mac): string {
  const start = startOf(head);
  return `${start}.${mac(textOf(start, call))}`;
}

/** Returns the parts of a proof and its MAC, or null when it is malformed. */
export function parseProof(text: string): (ProofHead & { mac: string }) | null {
  const parts = PROOF.exec(text);
  if (!parts) return null;
  const [, from = '', to = '', issuedAt, process = '', number, mac = ''] = parts;
  return { from, to, issuedAt: Number(issuedAt), process, number: Number(number), mac };
}

/** Returns whether the MAC of a proof is that of the call. */
export function isProven(head: ProofHead & { mac: string }, call: ProvenCall, mac: Mac): boolean {
  const expected = Buffer.from(mac(textOf(startOf(head), call)), 'latin1');
  const given = Buffer.from(head.mac, 'latin1');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const startOf = ({ from, to, issuedAt, process, number }: ProofHead): string =>
  `${from}.${to}.${issuedAt}.${process}.${number}`;
const textOf = (start: string, { method, path, identity }: ProvenCall): string =>
  `${start}\n${method} ${path}\n${identity}`;
