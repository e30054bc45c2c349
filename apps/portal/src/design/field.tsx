import type { ReactNode } from 'react';
import {
  Checkbox as AriaCheckbox,
  CheckboxGroup as AriaCheckboxGroup,
  FieldError,
  Input,
  Label,
  Radio,
  RadioGroup as AriaRadioGroup,
  type RadioGroupProps as AriaRadioGroupProps,
  Text,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components';

const LABEL = 'text-sm font-medium text-text';
const HINT = 'text-sm text-soft';
const ERROR = 'text-sm text-bad';

export interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'style' | 'children'> {
  label: string;
  hint?: ReactNode;
  placeholder?: string;
  /** For codes, keys and addresses. */
  mono?: boolean;
}

export function TextField({ label, hint, placeholder, mono, ...rest }: TextFieldProps): ReactNode {
  return (
    <AriaTextField {...rest} className="flex flex-col gap-1.5">
      <Label className={LABEL}>{label}</Label>
      <Input
        placeholder={placeholder ?? ''}
        className={`h-9 w-full rounded-md border outline-offset-[-1px] border-line-strong bg-surface px-3 text-text placeholder:text-faint data-invalid:border-bad disabled:opacity-50 ${mono ? 'font-mono text-sm' : ''}`}
      />
      {hint && (
        <Text slot="description" className={HINT}>
          {hint}
        </Text>
      )}
      <FieldError className={ERROR} />
    </AriaTextField>
  );
}

export interface Choice {
  value: string;
  label: ReactNode;
  hint?: string;
}

interface ChoicesProps {
  label: string;
  name?: string;
  choices: readonly Choice[];
}

const MARK =
  'grid size-4 shrink-0 place-items-center border border-line-strong bg-surface text-on-accent group-data-selected:border-accent group-data-selected:bg-accent';
const CHOICE =
  'group flex items-start gap-2.5 rounded-md py-1 focus-visible:outline-2 focus-visible:outline-accent';

function CheckMark(): ReactNode {
  return (
    <svg viewBox="0 0 16 16" className="size-3 opacity-0 group-data-selected:opacity-100" aria-hidden="true">
      <path d="m3 8.5 3.2 3.2L13 5" fill="none" stroke="currentColor" strokeWidth="2.2" />
    </svg>
  );
}

export function CheckboxGroup({
  label,
  choices,
  value,
  onChange,
  isOptional = false,
}: ChoicesProps & {
  value: string[];
  onChange: (value: string[]) => void;
  isOptional?: boolean;
}): ReactNode {
  return (
    <AriaCheckboxGroup
      value={value}
      onChange={onChange}
      isRequired={!isOptional}
      className="flex flex-col gap-1.5"
    >
      <Label className={LABEL}>{label}</Label>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {choices.map((choice) => (
          <AriaCheckbox key={choice.value} value={choice.value} className={`${CHOICE} items-center`}>
            <span className={`${MARK} rounded-sm`}>
              <CheckMark />
            </span>
            <span className="font-mono text-sm">{choice.label}</span>
          </AriaCheckbox>
        ))}
      </div>
      <FieldError className={ERROR}>Choose at least one.</FieldError>
    </AriaCheckboxGroup>
  );
}

export function Checkbox({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <AriaCheckbox name={name} value="yes" className={CHOICE}>
      <span className={`${MARK} mt-0.5 rounded-sm`}>
        <CheckMark />
      </span>
      <span>{children}</span>
    </AriaCheckbox>
  );
}

export function RadioGroup({
  label,
  name,
  choices,
  ...state
}: ChoicesProps & Pick<AriaRadioGroupProps, 'defaultValue' | 'value' | 'onChange'>): ReactNode {
  return (
    <AriaRadioGroup {...(name && { name })} {...state} className="flex flex-col gap-1.5">
      <Label className={LABEL}>{label}</Label>
      {choices.map((choice) => (
        <Radio key={choice.value} value={choice.value} className={CHOICE}>
          <span className={`${MARK} mt-0.5 rounded-full`}>
            <span className="size-1.5 rounded-full bg-on-accent opacity-0 group-data-selected:opacity-100" />
          </span>
          <span>
            {choice.label}
            {choice.hint && <span className="block text-sm text-soft">{choice.hint}</span>}
          </span>
        </Radio>
      ))}
    </AriaRadioGroup>
  );
}
