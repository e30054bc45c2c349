import type { DeliverySender } from '../delivery/delivery-sender';
import { type Lease, newLease } from '../delivery/lease';

/** Deliveries of one endpoint in one batch: held by this process and sent after the commit, or waiting. */
export interface NewLease extends Lease {
  webhookId: string;
  isHeld: boolean;
  deliveryIds: string[];
}

interface OpenLease {
  lease: NewLease | null;
  /** How many more deliveries it can contain. */
  capacity: number;
}

/** The leases of one batch: for each endpoint one that is held, up to its capacity, and then waiting ones. */
export class NewLeases {
  readonly #open = new Map<string, OpenLease>();

  constructor(
    private readonly sender: Pick<DeliverySender, 'insertCapacity' | 'leaseSize'>,
    private readonly nowMs: number,
  ) {}

  /** Returns the lease of the next delivery to an endpoint. Null: the delivery is due without a lease. */
  of(webhookId: string, deliveryId: string): NewLease | null {
    const open = this.#open.get(webhookId);
    if (open && (open.capacity > 0 || open.lease === null)) return add(open, deliveryId);
    const insertCapacity = open ? 0 : this.sender.insertCapacity(webhookId);
    const capacity = insertCapacity > 0 ? insertCapacity : this.sender.leaseSize(webhookId);
    const lease = capacity > 0 ? this.#lease(webhookId, insertCapacity > 0) : null;
    const next = { lease, capacity };
    this.#open.set(webhookId, next);
    return add(next, deliveryId);
  }

  #lease(webhookId: string, isHeld: boolean): NewLease {
    return { ...newLease(this.nowMs), webhookId, isHeld, deliveryIds: [] };
  }
}

function add(open: OpenLease, deliveryId: string): NewLease | null {
  open.capacity -= 1;
  open.lease?.deliveryIds.push(deliveryId);
  return open.lease;
}
