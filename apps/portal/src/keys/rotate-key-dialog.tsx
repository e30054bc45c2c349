import type { ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { fieldsOf } from '../account/forms';
import { PasswordAgain, needsPassword } from '../account/password-again';
import { Button } from '../design/button';
import { Dialog, DialogButtons } from '../design/dialog';
import { RadioGroup } from '../design/field';
import { ErrorNotice } from '../design/notice';
import { NewKeyDialog } from './new-key-dialog';
import { type Key, rotateKey } from './requests';
import { useNewKey } from './shown-key';

const OVERLAPS = [
  { value: '24', label: '24 hours', hint: 'Time to replace the key everywhere.' },
  { value: '168', label: '7 days' },
  { value: '1', label: '1 hour' },
  { value: '0', label: 'Not at all', hint: 'Calls with the old key fail within one second.' },
];

export function RotateKeyDialog({ replaced, onClose }: { replaced: Key; onClose: () => void }): ReactNode {
  const entry = useNewKey(rotateKey);
  if (entry.data) return <NewKeyDialog created={entry.data} onClose={onClose} />;
  if (needsPassword(entry.error)) return <PasswordAgain request={entry} onClose={onClose} />;
  return (
    <Dialog title={`Rotate “${replaced.name}”`} isOpen onClose={onClose}>
      <Form
        className="flex flex-col gap-5"
        onSubmit={(event) =>
          entry.mutate({ id: replaced.id, overlapHours: Number(fieldsOf(event)['overlap']) })
        }
      >
        <p className="text-soft">The new key has the same name, permissions and lifetime.</p>
        <RadioGroup
          label="The old key continues to work for"
          name="overlap"
          choices={OVERLAPS}
          defaultValue="24"
        />
        {entry.isError && <ErrorNotice error={entry.error} />}
        <DialogButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isPending={entry.isPending}>
            Rotate key
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
