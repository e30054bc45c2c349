import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../design/button';
import { Card, PageHeader } from '../design/layout';
import { Empty, ErrorNotice, Loading } from '../design/notice';
import { Status, Time } from '../design/values';
import { CreateKeyDialog } from './create-key-dialog';
import { type Key, SCOPES, keysQuery } from './requests';
import { RevokeKeyDialog } from './revoke-key-dialog';
import { RotateKeyDialog } from './rotate-key-dialog';

const TONES = { active: 'good', disabled: 'warn', expired: 'off', revoked: 'off' } as const;
const CELL = 'px-5 py-3 align-middle';

export interface KeysSearch {
  /** The open dialog. */
  dialog?: 'create' | 'rotate' | 'revoke';
  /** The key of the dialog. */
  id?: string;
}

export function KeysPage(): ReactNode {
  const { dialog, id } = useSearch({ from: '/signed-in/keys' });
  const navigate = useNavigate({ from: '/keys' });
  const open = (search: KeysSearch): void => void navigate({ search });
  const list = useInfiniteQuery(keysQuery);
  const keys = list.data?.keys ?? [];
  const named = keys.find((key) => key.id === id);
  const close = (): void => open({});
  // A replaced key that still works does not count toward the plan.
  const used = keys.filter(({ status, replacedBy }) => status === 'active' && replacedBy === null).length;
  return (
    <>
      <PageHeader
        title="API keys"
        action={
          <Button kind="primary" onPress={() => open({ dialog: 'create' })}>
            Create key
          </Button>
        }
      >
        A program sends its key in the header{' '}
        <code className="font-mono text-sm whitespace-nowrap">x-api-key</code>.
      </PageHeader>
      <Card
        title="Keys"
        aside={
          list.data && (
            <span className="text-sm text-soft">
              {used} of {list.data.limit ?? 'unlimited'} in use
            </span>
          )
        }
      >
        {list.isPending && <Loading />}
        {list.isError && (
          <div className="p-5">
            <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
          </div>
        )}
        {list.data && keys.length === 0 && (
          <Empty title="No keys yet. A key identifies your program.">
            <Button kind="primary" onPress={() => open({ dialog: 'create' })}>
              Create the first key
            </Button>
          </Empty>
        )}
        {keys.length > 0 && <KeyTable keys={keys} open={open} />}
        {list.hasNextPage && (
          <div className="border-t border-line px-5 py-3">
            <Button
              size="small"
              isPending={list.isFetchingNextPage}
              onPress={() => void list.fetchNextPage()}
            >
              Show older keys
            </Button>
          </div>
        )}
      </Card>
      {dialog === 'create' && <CreateKeyDialog onClose={close} />}
      {dialog === 'rotate' && named && <RotateKeyDialog replaced={named} onClose={close} />}
      {dialog === 'revoke' && named && <RevokeKeyDialog revoked={named} onClose={close} />}
    </>
  );
}

function KeyTable({ keys, open }: { keys: readonly Key[]; open: (search: KeysSearch) => void }): ReactNode {
  return (
    <table className="w-full text-left max-lg:block">
      <thead className="text-xs text-soft max-lg:sr-only">
        <tr className="border-b border-line">
          {['Name', 'State', 'Permissions', 'Last used', 'Expires'].map((name) => (
            <th key={name} scope="col" className="px-5 py-2 font-medium">
              {name}
            </th>
          ))}
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody className="max-lg:block">
        {keys.map((key) => (
          <KeyRow key={key.id} shown={key} open={open} />
        ))}
      </tbody>
    </table>
  );
}

function KeyRow({ shown, open }: { shown: Key; open: (search: KeysSearch) => void }): ReactNode {
  const isLive = shown.status === 'active' || shown.status === 'disabled';
  return (
    <tr className="border-b border-line last:border-0 max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:py-2">
      <td className={`${CELL} max-lg:w-full max-lg:py-1.5`}>
        <span className="block font-medium">{shown.name}</span>
        <code className="font-mono text-xs text-soft">{shown.hint}…</code>
      </td>
      <td className={`${CELL} max-lg:py-1.5`}>
        <Status tone={TONES[shown.status]}>{shown.status}</Status>
      </td>
      <td className={`${CELL} text-soft max-lg:hidden`} title={shown.scopes.join(', ')}>
        {shown.scopes.length === SCOPES.length ? 'all' : scopeText(shown.scopes)}
      </td>
      <td className={`${CELL} text-soft max-lg:py-1.5 max-lg:pl-0`}>
        <span className="lg:hidden">used </span>
        {shown.lastUsedAt === null ? 'never' : <Time at={shown.lastUsedAt} />}
      </td>
      <td className={`${CELL} text-soft max-lg:hidden`}>
        {shown.expiresAt === null ? 'never' : <Time at={shown.expiresAt} />}
      </td>
      <td className={`${CELL} text-right max-lg:ml-auto max-lg:py-1.5 max-sm:w-full max-sm:text-left`}>
        {isLive && (
          <span className="inline-flex gap-2">
            {shown.replacedBy === null && (
              <Button
                size="small"
                aria-label={`Rotate ${shown.name}`}
                onPress={() => open({ dialog: 'rotate', id: shown.id })}
              >
                Rotate
              </Button>
            )}
            <Button
              size="small"
              aria-label={`Revoke ${shown.name}`}
              onPress={() => open({ dialog: 'revoke', id: shown.id })}
            >
              Revoke
            </Button>
          </span>
        )}
      </td>
    </tr>
  );
}

const scopeText = (scopes: readonly string[]): string =>
  scopes.length <= 2 ? scopes.join(', ') : `${scopes.length} of ${SCOPES.length}`;
