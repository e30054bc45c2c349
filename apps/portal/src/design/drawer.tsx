import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './button';

/** Details of an entry at the right, over its list. Escape and a press beside it close it. */
export function Drawer({
  title,
  onClose,
  children,
}: {
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
      className="fixed inset-0 z-20 flex justify-end bg-scrim"
    >
      <Modal className="h-full w-full max-w-xl animate-[appear_160ms_ease-out] border-l border-line bg-surface shadow-over">
        <AriaDialog className="flex h-full flex-col outline-none">
          <div className="flex min-h-14 items-center justify-between gap-4 border-b border-line px-5">
            <Heading slot="title" className="min-w-0 truncate font-semibold">
              {title}
            </Heading>
            <Button kind="quiet" size="small" onPress={onClose}>
              Close
            </Button>
          </div>
          <div className="flex min-h-0 grow flex-col gap-6 overflow-y-auto p-5">{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
