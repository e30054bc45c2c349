import { Injectable } from '@nestjs/common';
import type {
  AlertItem,
  AlertResolveReason,
  AlertType,
  Band,
  ListAlertsQuery,
  Severity,
} from '@plimsoll/contracts';
import type { Alert } from '../generated/prisma/client';
import { PrismaService } from '../prisma.service';

/** Alerts as accounts list them. */
@Injectable()
export class AlertsRepository {
  constructor(private readonly prisma: PrismaService) {}

  /** Newest first, those made before the alert `beforeId`: ids sort by the time they were made. */
  async list(
    accountId: string,
    status: ListAlertsQuery['status'],
    beforeId: string | null,
    limit: number,
  ): Promise<AlertItem[]> {
    const alerts = await this.prisma.alert.findMany({
      where: {
        accountId,
        ...(status === 'active' && { resolvedAt: null }),
        ...(status === 'resolved' && { resolvedAt: { not: null } }),
        ...(beforeId !== null && { id: { lt: beforeId } }),
      },
      orderBy: { id: 'desc' },
      take: limit,
    });
    return alerts.map(alertItem);
  }
}

function alertItem(alert: Alert): AlertItem {
  const { id, title, message, positionId, ruleId, incidentId, asset, createdAt, resolvedAt } = alert;
  return {
    id,
    type: alert.type as AlertType,
    severity: alert.severity as Severity,
    title,
    message,
    status: resolvedAt === null ? 'active' : 'resolved',
    positionId,
    createdAt: createdAt.toISOString(),
    resolvedAt: resolvedAt?.toISOString() ?? null,
    ...(ruleId !== null && { ruleId }),
    ...(asset !== null && { asset }),
    ...(incidentId !== null && { incidentId }),
    ...lifeCycle(alert),
  };
}

function lifeCycle({
  level,
  healthFactor,
  updatedAt,
  revision,
  resolveReason,
  escalatedTo,
  createdAt,
}: Alert): Partial<AlertItem> {
  return {
    ...(level !== null && {
      level: level as Band,
      healthFactor,
      updatedAt: (updatedAt ?? createdAt).toISOString(),
      revision: Number(revision),
    }),
    ...(resolveReason !== null && { resolveReason: resolveReason as AlertResolveReason }),
    ...(escalatedTo !== null && { escalatedTo }),
  };
}
