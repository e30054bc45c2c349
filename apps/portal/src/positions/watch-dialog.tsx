import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { fieldErrors, fieldsOf } from '../account/forms';
import { plimsoll } from '../api/client';
import { readFirstPage } from '../api/paged-list';
import { Button } from '../design/button';
import { Dialog, DialogButtons } from '../design/dialog';
import { TextField } from '../design/field';
import { ErrorNotice } from '../design/notice';
import { POSITIONS, walletsQuery } from './requests';

const TEXTS = {
  quota_reached: ['Your plan watches no more wallets', 'A higher plan watches more.'],
} as const;

/** Watches a wallet, whose positions are read at once. */
export function WatchDialog({ onClose }: { onClose: () => void }): ReactNode {
  const queries = useQueryClient();
  const watch = useMutation({
    mutationFn: ({ address, label }: { address: string; label: string }) =>
      plimsoll.wallets.watch({ address, ...(label && { label }) }),
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: walletsQuery.queryKey }),
        readFirstPage(queries, [POSITIONS]),
      ]);
      onClose();
    },
  });
  return (
    <Dialog title="Watch a wallet" isOpen onClose={onClose}>
      <Form
        className="flex flex-col gap-5"
        validationErrors={fieldErrors(watch.error)}
        onSubmit={(event) => {
          const { address = '', label = '' } = fieldsOf(event);
          watch.mutate({ address: address.trim(), label: label.trim() });
        }}
      >
        <TextField
          label="Address"
          name="address"
          placeholder="0x… or name.eth"
          hint="An address, or an ENS name, which means the address that it has now."
          maxLength={255}
          autoComplete="off"
          mono
          isRequired
          autoFocus
        />
        <TextField label="Name" name="label" hint="Shown in lists and alerts. Optional." maxLength={64} />
        {watch.isError && <ErrorNotice error={watch.error} texts={TEXTS} />}
        <DialogButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isPending={watch.isPending}>
            Watch wallet
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
