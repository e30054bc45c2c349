import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode, useCallback, useEffect, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { docs } from '../api/origin';
import { Button } from '../design/button';
import { Brand } from '../design/brand';
import { AccountEntry } from './account-entry';
import { GROUPS } from './pages';
import { SearchButton } from './search';

/** Classes of an entry. On phones it is as high as a finger needs. */
const ENTRY =
  'flex h-9 items-center rounded-md px-3 font-medium whitespace-nowrap text-soft transition-colors hover:bg-hover hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent max-md:h-11 max-md:text-lg';

/** @param onLeave called when a page is chosen */
function Pages({ onLeave }: { onLeave?: () => void }): ReactNode {
  return (
    <nav aria-label="Pages" className="flex flex-col gap-1 px-3">
      {GROUPS.map(([group, pages]) => (
        <Fragment key={group}>
          <h2 className="px-3 pt-2 pb-1 text-xs font-medium text-faint">{group}</h2>
          {pages.map(([to, name]) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              className={ENTRY}
              onClick={onLeave}
            >
              {name}
            </Link>
          ))}
        </Fragment>
      ))}
      <a href={docs()} className={ENTRY}>
        Docs
      </a>
    </nav>
  );
}

/** Navigation at the left of wide windows. */
export function SideBar(): ReactNode {
  return (
    <header className="sticky top-0 flex h-screen flex-col overflow-y-auto border-r border-line bg-surface max-md:hidden">
      <div className="flex h-14 shrink-0 items-center px-5">
        <Brand />
      </div>
      <div className="px-3 pb-3">
        <SearchButton />
      </div>
      <Pages />
      <AccountEntry />
    </header>
  );
}

/** A bar with the menu of narrow windows. The menu keeps the focus until it is closed, and returns it to its button. */
export function TopBar(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const close = useCallback((): void => setOpen(false), []);
  // A wide window has no menu, which would keep the focus unseen.
  useEffect(() => {
    const wide = matchMedia('(min-width: 768px)');
    wide.addEventListener('change', close);
    return () => wide.removeEventListener('change', close);
  }, [close]);
  return (
    <header className="sticky top-0 z-10 flex h-14 items-center justify-between border-b border-line bg-surface pr-3 pl-4 md:hidden">
      <Brand />
      <span className="ml-auto">
        <SearchButton isShort />
      </span>
      <Button kind="quiet" aria-haspopup="dialog" aria-expanded={isOpen} onPress={() => setOpen(true)}>
        <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true">
          <path d="M1 3.5h14M1 8h14M1 12.5h14" stroke="currentColor" strokeWidth="1.6" />
        </svg>
        Menu
      </Button>
      <ModalOverlay
        isOpen={isOpen}
        isDismissable
        onOpenChange={setOpen}
        className="fixed inset-0 z-20 flex justify-end bg-scrim md:hidden"
      >
        <Modal className="h-full w-72 max-w-[85%] animate-[appear_160ms_ease-out] border-l border-line bg-surface shadow-over">
          <Dialog className="flex h-full flex-col overflow-y-auto outline-none">
            <div className="flex h-14 shrink-0 items-center justify-between pr-3 pl-6">
              <Heading slot="title" className="font-semibold">
                Menu
              </Heading>
              <Button kind="quiet" onPress={close}>
                Close
              </Button>
            </div>
            <Pages onLeave={close} />
            <AccountEntry onLeave={close} />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </header>
  );
}
