import { Injectable } from '@nestjs/common';
import type {
  Band,
  IncidentAnswer,
  IncidentFact,
  IncidentFactKind,
  IncidentItem,
  IncidentState,
  IncidentTrigger,
  Severity,
} from '@plimsoll/contracts';
import { type Incident, PrismaClient } from '../generated/prisma/client';

/** Most facts in one response. A longer incident is cut after its first ones. */
const MOST_FACTS = 1_000;

/** Reads incidents for accounts. */
@Injectable()
export class IncidentsReader {
  constructor(private readonly prisma: PrismaClient) {}

  /** Newest first, starting after the incident `beforeId`. Ids sort by creation time. */
  async list(
    accountId: string,
    status: IncidentState | undefined,
    beforeId: string | null,
    limit: number,
  ): Promise<IncidentItem[]> {
    const incidents = await this.prisma.incident.findMany({
      where: {
        accountId,
        ...(beforeId !== null && { id: { lt: beforeId } }),
        ...(status !== undefined && { closedAt: status === 'open' ? null : { not: null } }),
      },
      orderBy: { id: 'desc' },
      take: limit,
    });
    return this.itemsOf(incidents);
  }

  /** Null for an incident of another account. */
  async find(accountId: string, id: string): Promise<IncidentAnswer['incident'] | null> {
    const [item] = await this.itemsOf(await this.prisma.incident.findMany({ where: { id, accountId } }));
    if (!item) return null;
    const timeline = await this.factsOf(id);
    const positionIds = [...new Set(timeline.map(({ positionId }) => positionId))];
    return { ...item, positionIds, alertIds: await this.alertIdsOf(id), timeline };
  }

  private async itemsOf(incidents: readonly Incident[]): Promise<IncidentItem[]> {
    const counts = await this.prisma.alert.groupBy({
      by: 'incidentId',
      where: { incidentId: { in: incidents.map(({ id }) => id) } },
      _count: true,
    });
    const countOf = new Map(counts.map(({ incidentId, _count }) => [incidentId, _count]));
    return incidents.map(({ id, severity, title, trigger, protocol, chainId, openedAt, closedAt }) => ({
      id,
      status: closedAt === null ? 'open' : 'closed',
      severity: severity as Severity,
      title,
      trigger: trigger as IncidentTrigger,
      protocol,
      chainId,
      openedAt: openedAt.toISOString(),
      closedAt: closedAt?.toISOString() ?? null,
      alertCount: countOf.get(id) ?? 0,
    }));
  }

  private async alertIdsOf(incidentId: string): Promise<string[]> {
    const alerts = await this.prisma.alert.findMany({
      where: { incidentId },
      select: { id: true },
      orderBy: { id: 'asc' },
      take: MOST_FACTS,
    });
    return alerts.map(({ id }) => id);
  }

  private async factsOf(incidentId: string): Promise<IncidentFact[]> {
    const facts = await this.prisma.incidentFact.findMany({
      where: { incidentId },
      omit: { id: true, incidentId: true },
      orderBy: { id: 'asc' },
      take: MOST_FACTS,
    });
    return facts.map(({ at, type, block, band, ...fact }) => ({
      ...fact,
      at: at.toISOString(),
      type: type as IncidentFactKind,
      block: block === null ? null : Number(block),
      band: band as Band,
    }));
  }
}
