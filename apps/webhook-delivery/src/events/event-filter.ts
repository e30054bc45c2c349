import {
  SEVERITIES,
  type Severity,
  type WebhookData,
  type WebhookEventType,
  chainName,
  protocolName,
} from '@plimsoll/contracts';
import type { WebhookEvent } from './webhook-event';

/** The filters of an endpoint. They apply together. An empty list filters nothing. */
export interface EventFilter {
  severities: Severity[];
  protocols: string[];
  chainIds: number[];
}

/** The filters of an endpoint in a batch of events. */
export interface AppliedFilter extends EventFilter {
  /** Wallets of the events that are in its wallet groups, in lower case. Null: it lists no groups. */
  wallets: readonly string[] | null;
}

type EventOf<E extends WebhookEventType> = Pick<WebhookEvent<E>, 'event' | 'data'>;

/** A part of an event that a filter compares. Absent: the event has no such figure and every filter lets it pass. */
interface Compared {
  /** 1 (info) to 5 (critical). */
  severities?: readonly number[];
  protocol: string | null;
  chain: string | null;
  wallet: string | null;
}

/** Returns whether an endpoint with the filter receives the event. */
export function passes(filter: AppliedFilter, event: EventOf<WebhookEventType>): boolean {
  const { severities, protocols, chainIds, wallets } = filter;
  if (wallets === null && severities.length + protocols.length + chainIds.length === 0) return true;
  if (is(event, 'test.ping')) return true;
  // A group names its protocols and chains, and lists a part of its alerts.
  if (is(event, 'alert.group')) {
    const { alerts, truncated } = event.data;
    const named = { ...filter, protocols: protocols.map(protocolName) };
    return (
      truncated > 0 ||
      alerts.some((row) =>
        fits(named, chainIds.map(chainName), {
          severities: [row.severity],
          protocol: row.protocolName,
          chain: row.chainName,
          wallet: row.wallet,
        }),
      )
    );
  }
  return fits(filter, chainIds.map(String), comparedOf(event));
}

function fits(
  { severities, protocols, wallets }: AppliedFilter,
  chains: readonly string[],
  { severities: own, protocol, chain, wallet }: Compared,
): boolean {
  const listed = (severity: number): boolean => severities.includes(SEVERITIES[severity - 1]!);
  return (
    (severities.length === 0 || own === undefined || own.some(listed)) &&
    (protocols.length === 0 || (protocol !== null && protocols.includes(protocol))) &&
    (chains.length === 0 || (chain !== null && chains.includes(chain))) &&
    (wallets === null || (wallet !== null && wallets.includes(wallet.toLowerCase())))
  );
}

function comparedOf(event: EventOf<WebhookEventType>): Compared {
  if (is(event, 'position.updated', 'position.liquidation_risk'))
    return {
      protocol: event.data.protocol,
      chain: String(event.data.chainId),
      wallet: event.data.wallet,
    };
  const alert = event.data as WebhookData['alert.created' | 'alert.updated' | 'alert.resolved'];
  // Alerts of earlier releases have a position only.
  const { protocol, chainId, wallet } = alert.protocol === null && alert.position ? alert.position : alert;
  return {
    // A receiver of the alert waits for its end, whatever its severity became.
    ...('severity' in alert && { severities: severitiesOf(alert) }),
    protocol,
    chain: chainId === null ? null : String(chainId),
    wallet,
  };
}

function severitiesOf(alert: WebhookData['alert.created' | 'alert.updated']): number[] {
  return 'previousSeverity' in alert ? [alert.severity, alert.previousSeverity] : [alert.severity];
}

/** Returns the wallets of the event in lower case. */
export function walletsOf(event: EventOf<WebhookEventType>): string[] {
  if (is(event, 'test.ping')) return [];
  const wallets = is(event, 'alert.group')
    ? event.data.alerts.map(({ wallet }) => wallet)
    : [comparedOf(event).wallet];
  return wallets.flatMap((wallet) => wallet?.toLowerCase() ?? []);
}

/** Returns the id of what the event is about. */
export function subjectOf(event: EventOf<WebhookEventType>): string {
  if (is(event, 'test.ping')) return event.data.webhookId;
  if (is(event, 'alert.group')) return event.data.groupId;
  if (is(event, 'position.updated', 'position.liquidation_risk')) return event.data.positionId;
  const { position, positionId, alertId } = event.data as WebhookData['alert.created'];
  return position?.id ?? positionId ?? alertId;
}

function is<E extends WebhookEventType>(
  event: EventOf<WebhookEventType>,
  ...types: E[]
): event is EventOf<E> {
  return types.some((type) => type === event.event);
}
