import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { registryQuery, walletGroupsQuery } from '../api/registry';
import { Disclosure } from '../design/disclosure';
import { type Choice, CheckboxGroup } from '../design/field';
import { formatCount } from '../design/format';
import { ErrorNotice, Loading } from '../design/notice';
import type { Webhook } from './requests';

/** Of which protocols, chains and wallet groups an endpoint receives events. An empty list: of all. */
export type EventFilter = Pick<Webhook, 'protocols' | 'chainIds' | 'walletGroupIds'>;

export const NO_FILTER: EventFilter = { protocols: [], chainIds: [], walletGroupIds: [] };

const counted = (count: number, word: string): string[] =>
  count === 0 ? [] : [`${formatCount(count)} ${word}${count === 1 ? '' : 's'}`];

/** Returns a filter in words, for example `Only 2 protocols, 1 chain`. */
function inWords({ protocols, chainIds, walletGroupIds }: EventFilter): string {
  const counts = [
    ...counted(protocols.length, 'protocol'),
    ...counted(chainIds.length, 'chain'),
    ...counted(walletGroupIds.length, 'wallet group'),
  ];
  return counts.length === 0 ? 'All protocols, chains and wallet groups' : `Only ${counts.join(', ')}`;
}

const choice = (value: number | string, name: string): Choice => ({
  value: String(value),
  label: <span className="font-sans">{name}</span>,
});

const choicesOf = (names: ReadonlyMap<number | string, string>): Choice[] =>
  [...names].map(([value, name]) => choice(value, name));

/** A value that is chosen and no longer in its list stays a choice, so that it can be left out. */
const withChosen = (choices: readonly Choice[], chosen: readonly string[]): Choice[] => [
  ...choices,
  ...chosen
    .filter((value) => choices.every((each) => each.value !== value))
    .map((value) => ({ value, label: value })),
];

/** The choice of protocols, chains and wallet groups. It reads them once it is open. */
export function EventFilterFields({
  filter,
  onChange,
}: {
  filter: EventFilter;
  onChange: (filter: EventFilter) => void;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="rounded-md border border-line">
      <Disclosure title={inWords(filter)} isOpen={isOpen} onToggle={setOpen}>
        {isOpen && <Choices filter={filter} onChange={onChange} />}
      </Disclosure>
    </div>
  );
}

function Choices({
  filter,
  onChange,
}: {
  filter: EventFilter;
  onChange: (filter: EventFilter) => void;
}): ReactNode {
  const registry = useQuery(registryQuery);
  const read = useQuery(walletGroupsQuery);
  if (registry.isPending || read.isPending) return <Loading rows={4} />;
  if (!registry.data || !read.data)
    return (
      <div className="p-3.5">
        <ErrorNotice
          error={registry.error ?? read.error}
          onRetry={() => void Promise.all([registry.refetch(), read.refetch()])}
        />
      </div>
    );
  const chainIds = filter.chainIds.map(String);
  const groups = withChosen(
    read.data.map(({ id, name }) => choice(id, name)),
    filter.walletGroupIds,
  );
  return (
    <div className="flex flex-col gap-5 px-3.5 pt-1 pb-3.5">
      <p className="text-sm text-soft">
        Without a choice, events of all are sent. With one, events that have no protocol, chain or wallet are
        not sent.
      </p>
      {groups.length > 0 && (
        <CheckboxGroup
          label="Wallet groups"
          choices={groups}
          value={filter.walletGroupIds}
          onChange={(walletGroupIds) => onChange({ ...filter, walletGroupIds })}
          isOptional
        />
      )}
      <CheckboxGroup
        label="Chains"
        choices={withChosen(choicesOf(registry.data.chains), chainIds)}
        value={chainIds}
        onChange={(ids) => onChange({ ...filter, chainIds: ids.map(Number) })}
        isOptional
      />
      <CheckboxGroup
        label="Protocols"
        choices={withChosen(choicesOf(registry.data.protocols), filter.protocols)}
        value={filter.protocols}
        onChange={(protocols) => onChange({ ...filter, protocols })}
        isOptional
      />
    </div>
  );
}

/** The events that an endpoint receives, in words. */
export function ReceivedEvents({ webhook }: { webhook: Webhook }): ReactNode {
  return (
    <>
      <span>{webhook.events.join(', ')}</span>
      {webhook.severities.length > 0 && <span>alerts: {webhook.severities.join(', ')}</span>}
      {webhook.protocols.length > 0 && <span>protocols: {webhook.protocols.join(', ')}</span>}
      {webhook.chainIds.length > 0 && <span>chains: {webhook.chainIds.join(', ')}</span>}
      {webhook.walletGroupIds.length > 0 && (
        <span>{counted(webhook.walletGroupIds.length, 'wallet group').join('')}</span>
      )}
    </>
  );
}
