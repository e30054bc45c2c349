import type { ReactNode } from 'react';
import { docs } from '../api/origin';
import { Button } from '../design/button';
import { CodeTabs } from '../design/code';
import { Dialog, DialogButtons } from '../design/dialog';
import { Secret } from '../design/values';
import { VERIFICATION } from './verification';

/** Shows a signing secret once. Only the button closes it. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }): ReactNode {
  return (
    <Dialog title="Signing secret" isOpen onClose={onClose} canDismiss={false} isWide>
      <p>Copy the secret now. Plimsoll cannot show it again. Your receiver verifies each request with it.</p>
      <Secret value={secret} label="Copy the secret" />
      <CodeTabs label="Verification" tabs={VERIFICATION} />
      <p className="text-sm text-soft">
        <a
          href={docs('/guides/receiving-webhooks')}
          className="font-medium text-accent underline underline-offset-2"
        >
          Receiving webhooks
        </a>{' '}
        explains old signatures, retries and the order of events.
      </p>
      <DialogButtons>
        <Button kind="primary" onPress={onClose}>
          I stored the secret
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
