import type { DeliverySender } from '../delivery/delivery-sender';
import { type Lease, newLease } from '../delivery/lease';

/** What comes to one endpoint together: held by this process and sent when the transaction is committed, or waiting. */
export interface NewLease extends Lease {
  webhookId: string;
  isHeld: boolean;
  deliveryIds: string[];
}

interface OpenLease {
  lease: NewLease | null;
  /** For so many more. */
  room: number;
}

/** The leases of one batch: of each endpoint one that is held, for what it has room for, and then such that wait. */
export class NewLeases {
  readonly #open = new Map<string, OpenLease>();

  constructor(
    private readonly sender: Pick<DeliverySender, 'freshRoom' | 'leaseSize'>,
    private readonly nowMs: number,
  ) {}

  /** The lease of the next delivery to an endpoint; null: it is due by itself. */
  of(webhookId: string, deliveryId: string): NewLease | null {
    const open = this.#open.get(webhookId);
    if (open && (open.room > 0 || open.lease === null)) return add(open, deliveryId);
    const freshRoom = open ? 0 : this.sender.freshRoom(webhookId);
    const room = freshRoom > 0 ? freshRoom : this.sender.leaseSize(webhookId);
    const lease = room > 0 ? this.#lease(webhookId, freshRoom > 0) : null;
    const next = { lease, room };
    this.#open.set(webhookId, next);
    return add(next, deliveryId);
  }

  #lease(webhookId: string, isHeld: boolean): NewLease {
    return { ...newLease(this.nowMs), webhookId, isHeld, deliveryIds: [] };
  }
}

function add(open: OpenLease, deliveryId: string): NewLease | null {
  open.room -= 1;
  open.lease?.deliveryIds.push(deliveryId);
  return open.lease;
}
