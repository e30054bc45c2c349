import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** False while closing would lose what cannot be shown again. */
  canDismiss?: boolean;
  /** For code. */
  isWide?: boolean;
  children: ReactNode;
}

/** A window over the page. Escape and a press beside it close it. */
export function Dialog({
  title,
  isOpen,
  onClose,
  canDismiss = true,
  isWide,
  children,
}: DialogProps): ReactNode {
  return (
    <ModalOverlay
      isOpen={isOpen}
      isDismissable={canDismiss}
      isKeyboardDismissDisabled={!canDismiss}
      onOpenChange={(open) => !open && onClose()}
      className="fixed inset-0 z-20 grid grid-cols-1 items-end overflow-y-auto bg-scrim p-0 sm:place-items-center sm:p-6"
    >
      <Modal
        className={`w-full animate-[appear_160ms_ease-out] rounded-t-lg border border-line bg-surface shadow-over sm:rounded-lg ${isWide ? 'sm:max-w-2xl' : 'sm:max-w-lg'}`}
      >
        {/* The hidden inputs of choices are placed in it. Otherwise they would make the overlay scroll. */}
        <AriaDialog className="relative flex max-h-[88vh] flex-col gap-4 overflow-y-auto p-6 outline-none">
          <Heading slot="title" className="text-lg font-semibold">
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at the end of a dialog, the main one last. */
export function DialogButtons({ children }: { children: ReactNode }): ReactNode {
  return <div className="flex flex-wrap justify-end gap-2 pt-2">{children}</div>;
}
