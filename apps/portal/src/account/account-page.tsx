import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type Schema, account } from '../api/client';
import { Button } from '../design/button';
import { RadioGroup } from '../design/field';
import { Card, PageHeader } from '../design/layout';
import { ErrorNotice, Loading } from '../design/notice';
import { type Theme, chooseTheme, chosenTheme } from '../design/theme';
import { Status, Time } from '../design/values';
import { AuditCard } from './audit-card';
import { PlanCard, PlanDialog } from './plan-card';

const sessionsQuery = {
  queryKey: ['sessions'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    account<Schema<'SessionList'>>('GET', 'sessions', { signal }),
};

export interface AccountSearch {
  dialog?: 'plan';
}

export function AccountPage(): ReactNode {
  const { dialog } = useSearch({ from: '/signed-in/account' });
  const navigate = useNavigate({ from: '/account' });
  return (
    <>
      <PageHeader title="Account" />
      <div className="flex flex-col gap-6">
        <PlanCard onChange={() => void navigate({ search: { dialog: 'plan' } })} />
        <Sessions />
        <AuditCard />
        <Card title="Appearance">
          <ThemeChoice />
        </Card>
      </div>
      {dialog === 'plan' && <PlanDialog onClose={() => void navigate({ search: {} })} />}
    </>
  );
}

function Sessions(): ReactNode {
  const list = useQuery(sessionsQuery);
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: async (id: string | 'others') => {
      const ids = id === 'others' ? await otherSessions() : [id];
      return Promise.all(ids.map((each) => account('DELETE', `sessions/${each}`)));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  const hasOthers = list.data?.sessions.some(({ isCurrent }) => !isCurrent) ?? false;
  return (
    <Card
      title="Sessions"
      aside={
        hasOthers && (
          <Button size="small" isPending={end.isPending} onPress={() => end.mutate('others')}>
            End all others
          </Button>
        )
      }
    >
      {list.isPending && <Loading rows={1} />}
      {(list.isError || end.isError) && (
        <div className="p-5">
          <ErrorNotice error={list.error ?? end.error} onRetry={() => void list.refetch()} />
        </div>
      )}
      <ul>
        {list.data?.sessions.map((each) => (
          <li
            key={each.id}
            className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-5 py-2.5 last:border-0"
          >
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2">
                {browserOf(each.userAgent)}
                {each.isCurrent && <Status tone="good">this browser</Status>}
              </p>
              <p className="text-sm text-soft">
                {each.address ?? 'unknown address'} · used <Time at={each.lastSeenAt} />
              </p>
            </div>
            {!each.isCurrent && (
              <Button size="small" isPending={end.isPending} onPress={() => end.mutate(each.id)}>
                End session
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The other sessions now, because one may have begun since the list was read. */
async function otherSessions(): Promise<string[]> {
  const { sessions } = await account<Schema<'SessionList'>>('GET', 'sessions');
  return sessions.filter(({ isCurrent }) => !isCurrent).map(({ id }) => id);
}

/** The names of browser and system in a User-Agent, or its beginning. */
function browserOf(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown program';
  const browser = /(Firefox|Edg|Chrome|Version)\/(\d+)/.exec(userAgent);
  const system = /(Windows|Macintosh|Android|iPhone|Linux)/.exec(userAgent)?.[1];
  if (!browser) return userAgent.slice(0, 60);
  const name = { Edg: 'Edge', Version: 'Safari' }[browser[1] ?? ''] ?? browser[1];
  return `${name} ${browser[2]}${system ? ` on ${system === 'Macintosh' ? 'macOS' : system}` : ''}`;
}

const CHOICES = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

function ThemeChoice(): ReactNode {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <div className="px-5 py-4">
      <RadioGroup
        label="Theme"
        name="theme"
        choices={CHOICES}
        value={theme}
        onChange={(value) => {
          chooseTheme(value as Theme);
          setTheme(value as Theme);
        }}
      />
    </div>
  );
}
