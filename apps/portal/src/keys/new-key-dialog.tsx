import type { ReactNode } from 'react';
import { Button } from '../design/button';
import { Dialog, DialogButtons } from '../design/dialog';
import { Secret } from '../design/values';
import type { NewKey } from './requests';

/** Shows a key once. Only the button closes it. */
export function NewKeyDialog({ created, onClose }: { created: NewKey; onClose: () => void }): ReactNode {
  return (
    <Dialog title={`Key “${created.name}”`} isOpen onClose={onClose} canDismiss={false}>
      <p>Copy the key now. Plimsoll stores only a hash of it and cannot show it again.</p>
      <Secret value={created.key} label="Copy the key" />
      <DialogButtons>
        <Button kind="primary" onPress={onClose} autoFocus>
          I stored the key
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
