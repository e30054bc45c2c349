import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';

export type ButtonKind = 'primary' | 'plain' | 'danger' | 'quiet';

const BASE =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap transition-colors select-none';
const SIZES = { medium: 'h-9 px-3.5 text-base', small: 'h-8 px-2.5 text-sm' };
const KINDS: Record<ButtonKind, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-hover',
  plain: 'border-line bg-surface text-text hover:bg-hover',
  danger: 'border-transparent bg-bad text-on-bad hover:bg-bad-hover',
  quiet: 'border-transparent text-soft hover:bg-hover hover:text-text',
};

/** The classes of a button, for links that look like one. */
export const buttonClass = (kind: ButtonKind = 'plain', size: keyof typeof SIZES = 'medium'): string =>
  `${BASE} ${SIZES[size]} ${KINDS[kind]}`;

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  kind?: ButtonKind;
  size?: keyof typeof SIZES;
  wide?: boolean;
  children: ReactNode;
}

/** While a request runs, it keeps the focus and does nothing. */
export function Button({
  kind,
  size,
  wide,
  isPending,
  type,
  onPress,
  children,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <AriaButton
      {...rest}
      type={isPending ? 'button' : (type ?? 'button')}
      {...(onPress && !isPending && { onPress })}
      className={`${buttonClass(kind, size)} disabled:opacity-50 ${isPending ? 'opacity-70' : ''} ${wide ? 'w-full' : ''}`}
    >
      {children}
    </AriaButton>
  );
}
