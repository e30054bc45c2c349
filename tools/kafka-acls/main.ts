import { aclCommands, kafkaAcls } from '@plimsoll/event-bus';

const USAGE = `usage: npm run --silent kafka-acls -- [--json] [--prefix PREFIX] [--principal TEMPLATE] [--service NAME]

  Prints the access control lists that the services need on Kafka, as commands of kafka-acls.sh. The commands
  read BOOTSTRAP and COMMAND_CONFIG (a file with the administrator's settings) from the environment.
  --json       prints them as JSON instead
  --prefix     KAFKA_TOPIC_PREFIX of the platform
  --principal  the principal of a service; {service} is its name. The default is User:{service}, which suits
               SASL. Certificates need for example User:CN={service}
  --service    only this service`;

/** Prints the lists. */
export function main(args: readonly string[]): void {
  const options = parse(args);
  if (!options) {
    console.log(USAGE);
    process.exitCode = args.includes('--help') ? 0 : 2;
    return;
  }
  const { service } = options;
  const acls = kafkaAcls(options).filter((acl) => service === undefined || acl.service === service);
  if (acls.length === 0) {
    console.error(`No service ${service} uses a topic.`);
    process.exitCode = 1;
    return;
  }
  console.log(options.json ? JSON.stringify(acls, null, 2) : aclCommands(acls).join('\n'));
}

interface Options {
  json: boolean;
  prefix: string;
  principal: string;
  service: string | undefined;
}

function parse(args: readonly string[]): Options | null {
  const options: Options = { json: false, prefix: '', principal: 'User:{service}', service: undefined };
  for (let at = 0; at < args.length; at += 1) {
    const value = args[at + 1];
    if (args[at] === '--json') options.json = true;
    else if (value === undefined || !/^[\w.,:={} -]*$/.test(value)) return null;
    else {
      if (args[at] === '--prefix') options.prefix = value;
      else if (args[at] === '--principal') options.principal = value;
      else if (args[at] === '--service') options.service = value;
      else return null;
      at += 1;
    }
  }
  return options;
}
