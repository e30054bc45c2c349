/** Listeners with TLS beside the plain one, whose clients are administrators. */
export interface SecuredListeners {
  /** A port for clients with a certificate. Their principal is its subject, as in `User:CN=alerts`. */
  certificatePort: number;
  /** A port for clients with SASL over TLS: PLAIN, SCRAM, and OAUTHBEARER with unsigned tokens. */
  saslPort: number;
  /** PEM of the broker's key (PKCS #8), followed by its certificate. */
  keyStoreFile: string;
  /** PEM of the authority of the clients' certificates. */
  trustStoreFile: string;
  /** Passwords by user. */
  users: Readonly<Record<string, string>>;
}

type Settings = Record<string, string | number | boolean>;

/** The content of server.properties for one node on these ports of 127.0.0.1. */
export function brokerSettings(
  port: number,
  controllerPort: number,
  logDir: string,
  secured?: SecuredListeners,
): string {
  const more = secured
    ? `,MTLS://127.0.0.1:${secured.certificatePort},SASL://127.0.0.1:${secured.saslPort}`
    : '';
  const settings: Settings = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}${more}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}${more}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,MTLS:SSL,SASL:SASL_SSL',
    'controller.listener.names': 'CONTROLLER',
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'log.dirs': logDir,
    'auto.create.topics.enable': false,
    'group.initial.rebalance.delay.ms': 0,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 8,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 4,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    'log.cleaner.dedupe.buffer.size': 16_777_216,
    ...(secured && securitySettings(secured)),
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

const MODULES = 'org.apache.kafka.common.security';

function securitySettings({ keyStoreFile, trustStoreFile, users }: SecuredListeners): Settings {
  const passwords = Object.entries(users).map(([user, password]) => `user_${user}="${password}"`);
  return {
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': keyStoreFile,
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': trustStoreFile,
    'listener.name.mtls.ssl.client.auth': 'required',
    'listener.name.sasl.ssl.client.auth': 'none',
    'listener.name.sasl.sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
    'listener.name.sasl.plain.sasl.jaas.config': `${MODULES}.plain.PlainLoginModule required ${passwords.join(' ')};`,
    'listener.name.sasl.scram-sha-256.sasl.jaas.config': `${MODULES}.scram.ScramLoginModule required;`,
    'listener.name.sasl.scram-sha-512.sasl.jaas.config': `${MODULES}.scram.ScramLoginModule required;`,
    'listener.name.sasl.oauthbearer.sasl.jaas.config': `${MODULES}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";`,
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:ANONYMOUS',
  };
}

/** Arguments of Kafka's StorageTool that create the users of SCRAM. */
export function scramArguments({ users }: SecuredListeners): string[] {
  return Object.entries(users).flatMap(([name, password]) =>
    ['SCRAM-SHA-256', 'SCRAM-SHA-512'].map(
      (mechanism) => `--add-scram=${mechanism}=[name=${name},password=${password}]`,
    ),
  );
}
