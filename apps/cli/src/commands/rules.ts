import type { Command } from 'commander';
import { type Context, collect, pageOf } from '../context';
import { printable, time } from '../output/text';
import { LIMIT, withContext } from './command';

export function addRuleCommands(program: Command): void {
  const rules = program.command('rules').description('rules that act on a position');
  rules
    .command('list', { isDefault: true })
    .description('list the rules')
    .option(...LIMIT)
    .action(withContext(list));
  rules
    .command('executions')
    .description('list when rules fired, the newest first')
    .option('--rule <id>', 'only this rule')
    .option(...LIMIT)
    .action(withContext(executions));
  rules
    .command('pause <rule>')
    .description('stop a rule, and keep it')
    .action(withContext(change(false)));
  rules
    .command('resume <rule>')
    .description('let a paused rule act again')
    .action(withContext(change(true)));
  rules.command('delete <rule>').description('delete a rule').action(withContext(remove));
}

async function list(context: Context, { limit }: { limit: number }): Promise<void> {
  const found = await collect(context.client().rules.list({ limit: pageOf(limit) }), 'rules', limit);
  context.show(found, () =>
    context.table(
      ['rule', 'state', 'name', 'condition', 'action', 'position'],
      found.rules.map(
        ({ id, isActive, name, conditionType, conditionValue, asset, actionType, positionId }) => [
          id,
          isActive ? 'active' : 'paused',
          name,
          [conditionType, asset, conditionValue].filter((each) => each !== null).join(' '),
          actionType,
          positionId,
        ],
      ),
      'There is no rule.',
    ),
  );
}

async function executions(
  context: Context,
  { rule, limit }: { rule?: string; limit: number },
): Promise<void> {
  const pages = context.client().rules.executions({
    limit: pageOf(limit),
    ...(rule !== undefined && { ruleId: rule }),
  });
  const found = await collect(pages, 'executions', limit);
  context.show(found, () =>
    context.table(
      ['time', 'status', 'rule', 'result'],
      found.executions.map(({ ruleId, status, triggeredAt, result }) => [
        time(triggeredAt),
        status,
        ruleId,
        result,
      ]),
      'No rule has fired.',
    ),
  );
}

const change =
  (isActive: boolean) =>
  async (context: Context, id: string): Promise<void> => {
    const { rule } = await context.client().rules.update({ id, isActive });
    context.show({ rule }, () => printable(`${rule.name} is ${rule.isActive ? 'active' : 'paused'}.`));
  };

async function remove(context: Context, id: string): Promise<void> {
  await context.client().rules.delete({ id });
  context.show({ deleted: id }, () => `${printable(id)} is deleted.`);
}
