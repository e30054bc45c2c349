import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { registryQuery, walletGroupsQuery } from '../api/registry';
import { Filters } from '../design/filters';
import { formatShortUsd, shortened } from '../design/format';
import { LEVELS } from '../design/levels';
import { ALL, Select, byName } from '../design/select';
import { type PositionFilter, SORTS } from './requests';

const ANY = { value: '', label: 'any' };
const HEALTH_FACTORS = [1, 1.05, 1.1, 1.25, 1.5, 2];
const DEBTS = [1_000, 10_000, 100_000, 1_000_000];
const SORT_NAMES: Record<(typeof SORTS)[number], string> = {
  healthFactor: 'danger',
  totalDebtUsd: 'debt',
  totalCollateralUsd: 'collateral',
};

/** The choices of a number, also one that only the address has. */
const numbers = (some: readonly number[], chosen: number | undefined, labelOf: (value: number) => string) => [
  ANY,
  ...[...new Set(chosen === undefined ? some : [...some, chosen])]
    .sort((a, b) => a - b)
    .map((value) => ({ value: String(value), label: labelOf(value) })),
];
const numberOf = (text: string): number | undefined => (text === '' ? undefined : Number(text));

export function PositionFilters({
  filter,
  show,
}: {
  filter: PositionFilter;
  show: (filter: PositionFilter) => void;
}): ReactNode {
  const registry = useQuery(registryQuery).data;
  const groups = useQuery(walletGroupsQuery).data ?? [];
  const active = Object.values({ ...filter, sort: undefined }).filter((value) => value !== undefined).length;
  return (
    <Filters active={active} onClear={() => show({ sort: filter.sort })}>
      <Select
        label="Group"
        choices={[ALL, ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
        value={filter.group ?? ''}
        hasFixedWidth
        onChange={(group) => show({ ...filter, wallet: undefined, group: group || undefined })}
      />
      <Select
        label="Level"
        choices={[ALL, ...LEVELS.map((level) => ({ value: level, label: level }))]}
        value={filter.level ?? ''}
        onChange={(level) => show({ ...filter, level: LEVELS.find((each) => each === level) })}
      />
      <Select
        label="Protocol"
        choices={byName(registry?.protocols)}
        value={filter.protocol ?? ''}
        hasFixedWidth
        onChange={(protocol) => show({ ...filter, protocol: protocol || undefined })}
      />
      <Select
        label="Chain"
        choices={byName(registry?.chains)}
        value={String(filter.chain ?? '')}
        hasFixedWidth
        onChange={(chain) => show({ ...filter, chain: numberOf(chain) })}
      />
      <Select
        label="Health factor"
        choices={numbers(HEALTH_FACTORS, filter.health, (value) => `at most ${value}`)}
        value={String(filter.health ?? '')}
        onChange={(health) => show({ ...filter, health: numberOf(health) })}
      />
      <Select
        label="Debt"
        choices={numbers(DEBTS, filter.debt, (value) => `from ${formatShortUsd(value)} USD`)}
        value={String(filter.debt ?? '')}
        onChange={(debt) => show({ ...filter, debt: numberOf(debt) })}
      />
      <Select
        label="Sort by"
        choices={SORTS.map((sort) => ({ value: sort, label: SORT_NAMES[sort] }))}
        value={filter.sort ?? 'healthFactor'}
        onChange={(sort) =>
          show({ ...filter, sort: SORTS.find((each) => each === sort && each !== 'healthFactor') })
        }
      />
      {filter.wallet && (
        <span className="text-sm text-soft">
          Wallet <code className="font-mono text-xs">{shortened(filter.wallet)}</code>
        </span>
      )}
    </Filters>
  );
}
