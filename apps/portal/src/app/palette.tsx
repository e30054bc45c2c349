import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import { plimsoll } from '../api/client';
import { docs } from '../api/origin';
import { ErrorNotice } from '../design/notice';
import { keysQuery } from '../keys/requests';
import { webhooksQuery } from '../webhooks/requests';
import { PAGES } from './pages';

interface Entry {
  id: string;
  name: string;
  /** Its kind, in words. */
  kind: string;
  open: () => unknown;
}

const DELIVERY = /^del_[0-9A-Za-z]{22}$/;
const REQUEST = /^(?=.*\d)[A-Za-z0-9._-]{6,128}$/;
const MOST = 12;

/** Searches pages, keys, endpoints, and ids of requests and deliveries. */
export function Palette({ onClose }: { onClose: () => void }): ReactNode {
  const [text, setText] = useState('');
  const entries = useEntries(text.trim());
  const opening = useMutation({
    mutationFn: async (id: unknown) => await entries.find((entry) => entry.id === id)?.open(),
    onSuccess: onClose,
  });
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
      className="fixed inset-0 z-30 flex items-start justify-center bg-scrim p-4 sm:pt-[12vh]"
    >
      <Modal className="w-full max-w-lg animate-[appear_120ms_ease-out] overflow-hidden rounded-lg border border-line bg-surface shadow-over">
        <Dialog aria-label="Search" className="flex max-h-[70vh] flex-col outline-none">
          <Autocomplete
            inputValue={text}
            onInputChange={(next) => {
              setText(next);
              opening.reset();
            }}
          >
            <SearchField aria-label="Search" autoFocus className="border-b border-line">
              <Input
                placeholder="Search pages, keys, endpoints, or paste an id"
                className="h-12 w-full bg-surface px-4 text-text outline-none placeholder:text-faint [&::-webkit-search-cancel-button]:hidden"
              />
            </SearchField>
            {opening.isError && (
              <div className="p-2 pb-0">
                <ErrorNotice error={opening.error} />
              </div>
            )}
            <Menu
              aria-label="Results"
              items={entries}
              className="overflow-y-auto p-2 outline-none"
              onAction={(id) => opening.mutate(id)}
              renderEmptyState={() => <p className="px-3 py-2 text-soft">Nothing found.</p>}
            >
              {({ name, kind }) => (
                <MenuItem
                  textValue={name}
                  className="flex min-h-10 items-center justify-between gap-4 rounded-md px-3 py-1.5 outline-none data-focused:bg-accent-soft data-focused:text-accent"
                >
                  <span className="min-w-0 break-all">{name}</span>
                  <span className="shrink-0 text-xs text-soft">{kind}</span>
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function useEntries(text: string): Entry[] {
  const { navigate } = useRouter();
  const keys = useInfiniteQuery({ ...keysQuery, staleTime: 60_000 });
  const webhooks = useQuery({ ...webhooksQuery, staleTime: 60_000, retry: false });
  const known: Entry[] = [
    ...PAGES.map(([to, name]) => ({ id: to, name, kind: 'page', open: () => navigate({ to }) })),
    { id: '/account', name: 'Account', kind: 'page', open: () => navigate({ to: '/account' }) },
    { id: '/status', name: 'Status', kind: 'page', open: () => navigate({ to: '/status' }) },
    {
      id: '/track-record',
      name: 'Track record',
      kind: 'page',
      open: () => navigate({ to: '/track-record' }),
    },
    { id: '/docs', name: 'Docs', kind: 'page', open: () => location.assign(docs()) },
    ...(webhooks.data?.webhooks ?? []).map(({ id, url }) => ({
      id,
      name: url,
      kind: 'endpoint',
      open: () => navigate({ to: '/webhooks/$id', params: { id } }),
    })),
    ...(keys.data?.keys ?? []).map(({ id, name }) => ({
      id,
      name,
      kind: 'requests of the key',
      open: () => navigate({ to: '/requests', search: { from: id } }),
    })),
  ];
  const found = known.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())).slice(0, MOST);
  if (DELIVERY.test(text)) {
    const open = async (): Promise<void> => {
      const { delivery } = await plimsoll.deliveries.get({ id: text });
      await navigate({
        to: '/webhooks/$id',
        params: { id: delivery.webhookId },
        search: { delivery: delivery.id },
      });
    };
    return [...found, { id: text, name: text, kind: 'delivery', open }];
  }
  if (!REQUEST.test(text)) return found;
  const open = (): Promise<void> => navigate({ to: '/requests', search: { requestId: text, open: text } });
  return [...found, { id: `request ${text}`, name: text, kind: 'request id', open }];
}
