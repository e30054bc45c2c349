import { EVENTS } from '@plimsoll/contracts';
import { type Acl, aclCommands, kafkaAcls } from './acls';

const acls = kafkaAcls({ prefix: 'p.', principal: 'User:CN={service}' });
const of = (service: string): Acl[] => acls.filter((acl) => acl.service === service);

describe('kafkaAcls', () => {
  it('lets exactly one service publish each topic', () => {
    for (const topic of Object.keys(EVENTS)) {
      const writers = acls.filter(
        ({ name, operations }) => name === `p.${topic}` && operations.includes('Write'),
      );
      expect(writers).toHaveLength(1);
    }
  });

  it('gives a service without topics no list', () => {
    expect(of('ai')).toEqual([]);
  });

  it('gives a publisher its topics and no group', () => {
    const operations = ['Write', 'Describe', 'Create'];
    const principal = 'User:CN=gateway';
    const common = { service: 'gateway', principal, resource: 'topic', pattern: 'literal', operations };
    expect(of('gateway')).toEqual([
      { ...common, name: 'p.account.v1' },
      { ...common, name: 'p.key.v1' },
      { ...common, name: 'p.session.v1' },
    ]);
  });

  it('gives a consumer its topics, their dead letters and its groups', () => {
    const lines = of('execution').map(({ resource, name, pattern, operations }) =>
      [resource, name, pattern, ...operations].join(' '),
    );
    expect(lines).toEqual([
      'topic p.execution.v1 literal Write Describe Create',
      'topic p.automation.v1 literal Read Describe Create',
      'topic p.automation.v1.dlq literal Write Describe Create',
      'group p.execution literal Read Describe',
      'group p.execution- prefixed Read Describe Delete',
    ]);
  });

  it('writes one command of kafka-acls.sh for each list', () => {
    expect(aclCommands(of('whales'))).toEqual([
      `kafka-acls.sh --bootstrap-server "$BOOTSTRAP" --command-config "$COMMAND_CONFIG" --add --allow-principal 'User:CN=whales' --operation Write --operation Describe --operation Create --topic 'p.whale.v1' --resource-pattern-type literal`,
    ]);
  });
});
