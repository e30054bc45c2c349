import type { RunState } from '../processes/run-state';
import type { ControlOrder } from './control-server';

/** The address and the token of the control port. */
export type Control = NonNullable<RunState['control']>;

/** Sends an order to the control port. */
export const postOrder = (control: Control, order: ControlOrder, signal: AbortSignal): Promise<Response> =>
  fetch(`${control.url}/market`, {
    method: 'POST',
    headers: { authorization: `Bearer ${control.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(order),
    signal,
  });
