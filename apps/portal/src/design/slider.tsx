import { type ReactNode, useEffect, useId, useRef } from 'react';

/** A number that is dragged, or changed with the arrow keys. */
export function Slider({
  label,
  value,
  min,
  max,
  text,
  detail,
  onChange,
  onRelease,
}: {
  label: string;
  value: number;
  min: number;
  max: number;
  /** The value with its unit. */
  text: string;
  /** A figure that follows from it, beside it. */
  detail?: ReactNode;
  /** While it moves. */
  onChange: (value: number) => void;
  /** When it rests. */
  onRelease: (value: number) => void;
}): ReactNode {
  const id = useId();
  const ref = useRef<HTMLInputElement>(null);
  // React calls `input` a change. The browser sends `change` when the pointer or key is released.
  useEffect(() => {
    const input = ref.current;
    const released = (): void => onRelease(Number(input?.value));
    input?.addEventListener('change', released);
    return () => input?.removeEventListener('change', released);
  }, [onRelease]);
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <span className="text-sm text-soft">
          <output htmlFor={id} className="font-medium text-text">
            {text}
          </output>{' '}
          {detail}
        </span>
      </div>
      <input
        ref={ref}
        id={id}
        type="range"
        min={min}
        max={max}
        step={1}
        value={value}
        aria-valuetext={text}
        onChange={(event) => onChange(Number(event.target.value))}
        className="h-6 w-full accent-accent"
      />
    </div>
  );
}
