import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LINK } from '../design/link';
import { Empty } from '../design/notice';

/** In place of a part that the plan does not have. */
export function PlanNeeded({
  title,
  children,
}: {
  /** Names the plan that has it. */
  title: string;
  /** Its purpose. */
  children: ReactNode;
}): ReactNode {
  return (
    <Empty title={title}>
      <p className="text-soft">{children}</p>
      <Link to="/account" search={{ dialog: 'plan' }} className={LINK}>
        Change plan
      </Link>
    </Empty>
  );
}
