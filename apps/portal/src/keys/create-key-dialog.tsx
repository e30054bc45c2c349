import { type ReactNode, useState } from 'react';
import { Form } from 'react-aria-components';
import { PasswordAgain, needsPassword } from '../account/password-again';
import { fieldErrors, fieldsOf } from '../account/forms';
import { Button } from '../design/button';
import { Dialog, DialogButtons } from '../design/dialog';
import { CheckboxGroup, RadioGroup, TextField } from '../design/field';
import { ErrorNotice } from '../design/notice';
import { NewKeyDialog } from './new-key-dialog';
import { SCOPES, type Scope, createKey } from './requests';
import { useNewKey } from './shown-key';

const DAY_MS = 86_400_000;
const EXPIRIES = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

export function CreateKeyDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [scopes, setScopes] = useState<string[]>([...SCOPES]);
  const entry = useNewKey(createKey);
  if (entry.data) return <NewKeyDialog created={entry.data} onClose={onClose} />;
  if (needsPassword(entry.error)) return <PasswordAgain request={entry} onClose={onClose} />;
  return (
    <Dialog title="Create a key" isOpen onClose={onClose}>
      <Form
        className="flex flex-col gap-5"
        validationErrors={fieldErrors(entry.error)}
        onSubmit={(event) => {
          const { name = '', days = '' } = fieldsOf(event);
          const expiresAt = days && new Date(Date.now() + Number(days) * DAY_MS).toISOString();
          entry.mutate({ name, scopes: scopes as Scope[], ...(expiresAt && { expiresAt }) });
        }}
      >
        <TextField
          label="Name"
          name="name"
          hint="The program that uses the key, for example production."
          maxLength={100}
          isRequired
          autoFocus
        />
        <CheckboxGroup
          label="Permissions"
          choices={SCOPES.map((scope) => ({ value: scope, label: scope }))}
          value={scopes}
          onChange={setScopes}
        />
        <RadioGroup label="Expires" name="days" choices={EXPIRIES} defaultValue="" />
        {entry.isError && <ErrorNotice error={entry.error} />}
        <DialogButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isPending={entry.isPending}>
            Create key
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
