import { Injectable, Logger } from '@nestjs/common';
import { type Service, audiencesOf, mayCall } from '@plimsoll/access';
import { CALL_HEADER, IDENTITY_HEADER, IDENTITY_MAX_AGE_SECONDS, type Identity } from '@plimsoll/contracts';
import { ServiceConfig, serviceOf } from '../config/service.config';
import { identitiesRejected } from '../metrics/http-metrics';
import { type ProofHead, callMac, isProven, newProcessName, parseProof, proofOf } from './call-proof';
import { formerIdentities } from './former-identity';
import { KeyRing } from '../identity-keys/key-ring';
import { ReplayWindow } from './replay-window';
import {
  CLOCK_TOLERANCE_SECONDS,
  type Claims,
  ISSUER,
  isRecentlyIssued,
  serviceClaims,
  signIdentity,
  verifySignature,
} from './signed-identity';
import { VerifiedClaims } from './verified-claims';

const MAX_VERIFIED = 5_000;
const PROOF_VALID_MS = (IDENTITY_MAX_AGE_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS) * 1_000;

/** A received request, as far as its identity is concerned. */
export interface ReceivedCall {
  method: string;
  /** The request target, with its query. */
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The caller of a request, and the service that sent it. */
export interface VerifiedCall {
  identity: Omit<Identity, 'requestId'>;
  /** Null for an identity of the former form, which any service can have sent. */
  from: string | null;
}

type Mac = (text: string) => string;
/** Why a request is rejected, for the metric. */
type Rejection =
  'missing' | 'malformed' | 'expired' | 'key' | 'call' | 'proof' | 'signature' | 'audience' | 'replayed';

/**
 * The identity of this process among the services: signs identities and the proofs of its calls, and verifies
 * those of others. See docs/architecture/identity.md.
 */
@Injectable()
export class ServiceIdentity {
  private readonly logger = new Logger('identity');
  /** The name of this service. */
  readonly service: string;
  private readonly ring: KeyRing;
  private readonly macs = new Map<string, Mac>();
  private readonly verified = new VerifiedClaims(PROOF_VALID_MS, MAX_VERIFIED);
  private readonly used = new ReplayWindow(PROOF_VALID_MS);
  private readonly process = newProcessName();
  /** Requests that were proven, by called service. */
  private readonly sent = new Map<string, number>();
  private readonly former: (token: string) => Claims | null;
  private readonly rejected = identitiesRejected();

  constructor(config: ServiceConfig) {
    this.service = serviceOf(config);
    this.ring = new KeyRing(
      config.IDENTITY_KEYS_FOLDER,
      this.service,
      (ids) => this.forget(ids),
      (error) =>
        this.logger.error({ msg: 'changed identity keys cannot be read; the former ones stay', err: error }),
    );
    this.former = formerIdentities(config.IDENTITY_FORMER_KEYS);
    if (config.IDENTITY_FORMER_KEYS !== '')
      this.logger.warn(
        'identities of the former form are accepted: unset IDENTITY_FORMER_KEYS after the update',
      );
  }

  /** Returns an identity that its audiences accept for 30 s. */
  sign(caller: Omit<Claims, 'issuedAt'>, nowMs: number): string {
    return signIdentity({ ...caller, issuedAt: Math.floor(nowMs / 1_000) }, this.ring.ownNow(nowMs));
  }

  /** Returns whether an identity was signed with the key that is in use. */
  isCurrent(identity: string, nowMs: number): boolean {
    return identity.startsWith(`${this.ring.ownNow(nowMs).id}.`);
  }

  /** Returns the identity of this service itself, for work that no caller requested. */
  signOwn(nowMs: number): string {
    const audiences = audiencesOf(this.service as Service);
    return signIdentity(serviceClaims(this.service, audiences, nowMs), this.ring.ownNow(nowMs));
  }

  /**
   * Returns the proof for one request to a service.
   * @param path with its query, exactly as it is sent
   */
  prove(to: string, method: string, path: string, identity: string, nowMs: number): string {
    const [own, other] = [this.ring.ownNow(nowMs), this.ring.of(to, nowMs)];
    const number = (this.sent.get(to) ?? 0) + 1;
    this.sent.set(to, number);
    const issuedAt = Math.floor(nowMs / 1_000);
    const head: ProofHead = { from: own.id, to: other.id, issuedAt, process: this.process, number };
    const mac = this.macOf(head, () => callMac(own.agreement, other.agreement, head));
    return proofOf(head, { method, path, identity }, mac);
  }

  /**
   * Returns the caller of a request, or null when a part is missing, malformed, expired, used before, for
   * another service, or made by a service that may not send this request.
   */
  verify(call: ReceivedCall, nowMs: number): VerifiedCall | null {
    const result = this.check(call, nowMs);
    if (typeof result !== 'string') return result;
    this.rejected.inc({ reason: result });
    return null;
  }

  private check({ method, path, headers }: ReceivedCall, nowMs: number): VerifiedCall | Rejection {
    const { [IDENTITY_HEADER]: identity, [CALL_HEADER]: proof } = headers;
    if (typeof identity !== 'string') return 'missing';
    if (proof === undefined) return this.checkFormer(identity, nowMs);
    const head = typeof proof === 'string' ? parseProof(proof) : null;
    if (!head) return 'malformed';
    if (!isRecentlyIssued(head.issuedAt, nowMs)) return 'expired';
    const [other, own] = [this.ring.find(head.from, nowMs), this.ring.findOwn(head.to, nowMs)];
    if (!other || !own) return 'key';
    const mac = this.macOf(head, () => callMac(own.agreement, other.agreement, head));
    if (!isProven(head, { method, path, identity }, mac)) return 'proof';
    if (!this.mayReceive(other.service, method, path)) return 'call';
    const claims = this.claimsOf(identity, nowMs);
    if (!claims) return 'signature';
    if (!isRecentlyIssued(claims.issuedAt, nowMs)) return 'expired';
    if (!this.isFor(claims, other.service)) return 'audience';
    if (!this.used.use(head.from, head.process, head.number, nowMs)) return 'replayed';
    return { identity: callerOf(claims), from: other.service };
  }

  private checkFormer(identity: string, nowMs: number): VerifiedCall | Rejection {
    const claims = this.former(identity);
    if (!claims) return 'missing';
    return isRecentlyIssued(claims.issuedAt, nowMs) ? { identity: callerOf(claims), from: null } : 'expired';
  }

  private mayReceive(from: string, method: string, path: string): boolean {
    return (
      from === ISSUER ||
      mayCall(from as Service, this.service as Service, method, path.split('?', 1)[0] ?? '')
    );
  }

  /** A service passes on only an identity that it could accept itself. */
  private isFor({ audiences }: Claims, from: string): boolean {
    return audiences.includes(this.service) && (from === ISSUER || audiences.includes(from));
  }

  private claimsOf(identity: string, nowMs: number): Claims | null {
    const find = (id: string) => this.ring.find(id, nowMs);
    const known = this.verified.get(identity);
    if (known) return find(identity.split('.', 1)[0] ?? '') ? known : null;
    const claims = verifySignature(identity, find);
    if (!claims) return this.former(identity);
    this.verified.add(identity, claims, nowMs);
    return claims;
  }

  private macOf({ from, to }: ProofHead, derive: () => Mac): Mac {
    const pair = `${from}.${to}`;
    const known = this.macs.get(pair);
    if (known) return known;
    const mac = derive();
    this.macs.set(pair, mac);
    return mac;
  }

  private forget(ids: { has(id: string): boolean }): void {
    this.macs.clear();
    this.verified.clear();
    this.used.keep((id) => ids.has(id));
  }
}

function callerOf(claims: Claims): Omit<Identity, 'requestId'> {
  const { audiences: _, ...caller } = claims;
  return caller;
}
