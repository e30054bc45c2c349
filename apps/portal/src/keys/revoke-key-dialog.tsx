import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../design/button';
import { Dialog, DialogButtons } from '../design/dialog';
import { ErrorNotice } from '../design/notice';
import { Time } from '../design/values';
import { type Key, keysQuery, revokeKey } from './requests';

export function RevokeKeyDialog({ revoked, onClose }: { revoked: Key; onClose: () => void }): ReactNode {
  const queries = useQueryClient();
  const entry = useMutation({
    mutationFn: revokeKey,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keysQuery.queryKey });
      onClose();
    },
  });
  return (
    <Dialog title={`Revoke “${revoked.name}”`} isOpen onClose={onClose}>
      <p>
        Calls with <code className="font-mono text-sm">{revoked.hint}…</code> fail within one second. This
        cannot be undone.
      </p>
      <p className="text-soft">
        {revoked.lastUsedAt === null ? (
          'The key was never used.'
        ) : (
          <>
            It was last used <Time at={revoked.lastUsedAt} />.
          </>
        )}
      </p>
      {entry.isError && <ErrorNotice error={entry.error} />}
      <DialogButtons>
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="danger" isPending={entry.isPending} onPress={() => entry.mutate(revoked.id)}>
          Revoke key
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
