import { readFile } from 'node:fs/promises';
import type { ConnectionOptions } from 'node:tls';
import { KafkaJSNonRetriableError, type Mechanism, type SASLOptions } from 'kafkajs';
import type { KafkaSasl, KafkaTls } from '../options';

const LENGTH_BYTES = 4;

/** The broker rejects the token of oauthbearer. kafkajs does not retry it. */
export class TokenRejected extends KafkaJSNonRetriableError {}

/** TLS options of kafkajs. */
export function tlsOf(tls: KafkaTls | undefined): ConnectionOptions | undefined {
  if (!tls) return undefined;
  const { ca, cert, key } = tls;
  return { ...(ca && { ca: [ca] }), ...(cert && { cert }), ...(key && { key }) };
}

/** SASL options of kafkajs. */
export function saslOf(sasl: KafkaSasl | undefined): SASLOptions | Mechanism | undefined {
  if (sasl?.mechanism === 'oauthbearer') return tokenMechanism(sasl.tokenFile);
  return sasl as SASLOptions | undefined;
}

/**
 * OAUTHBEARER (RFC 7628) with the token of a file, which is read for each authentication, because a token
 * expires. kafkajs ignores the response of the broker, so a rejected token would look like a lost
 * connection.
 */
function tokenMechanism(file: string): Mechanism {
  return {
    mechanism: 'oauthbearer',
    authenticationProvider: ({ saslAuthenticate }) => ({
      authenticate: async () => {
        const token = (await readFile(file, 'utf8')).trim();
        const rejection = await saslAuthenticate({
          request: { encode: () => withLength(`n,,\u0001auth=Bearer ${token}\u0001\u0001`) },
          response: { decode: (raw) => raw.subarray(LENGTH_BYTES), parse: (text) => text.toString() },
        });
        if (rejection) throw new TokenRejected(rejection);
      },
    }),
  };
}

function withLength(text: string): Buffer {
  const content = Buffer.from(text);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeInt32BE(content.length);
  return Buffer.concat([length, content]);
}
