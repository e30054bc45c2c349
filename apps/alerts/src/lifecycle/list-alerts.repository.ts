import { Injectable } from '@nestjs/common';
import {
  type AlertContent,
  type AlertItem,
  type AlertResolveReason,
  type AlertType,
  type Band,
  type ListAlertsQuery,
  NO_ALERT_CONTENT,
  type Severity,
} from '@plimsoll/contracts';
import { type Alert, PrismaClient } from '../generated/prisma/client';

/** Lists the alerts of accounts. */
@Injectable()
export class ListAlertsRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** Newest first, starting after the alert `beforeId`. Ids sort by creation time. */
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
  const { id, title, message, ruleId, incidentId, asset, createdAt, resolvedAt } = alert;
  return {
    id,
    type: alert.type as AlertType,
    severity: alert.severity as Severity,
    title,
    message,
    status: resolvedAt === null ? 'active' : 'resolved',
    createdAt: createdAt.toISOString(),
    resolvedAt: resolvedAt?.toISOString() ?? null,
    ...(ruleId !== null && { ruleId }),
    ...(asset !== null && { asset }),
    ...(incidentId !== null && { incidentId }),
    ...lifeCycle(alert),
    ...contentOf(alert),
    groupId: alert.groupId,
    confidenceScore: alert.confidenceScore,
  };
}

function lifeCycle({
  level,
  updatedAt,
  revision,
  resolveReason,
  escalatedTo,
  createdAt,
}: Alert): Partial<AlertItem> {
  return {
    ...(level !== null && {
      level: level as Band,
      updatedAt: (updatedAt ?? createdAt).toISOString(),
      revision: Number(revision),
    }),
    ...(resolveReason !== null && { resolveReason: resolveReason as AlertResolveReason }),
    ...(escalatedTo !== null && { escalatedTo }),
  };
}

/** An alert of an earlier release has no figures. Its fields state that. */
function contentOf({ content, positionId }: Alert): AlertContent {
  if (content !== null) return { ...NO_ALERT_CONTENT, ...(content as unknown as AlertContent) };
  if (positionId === null) return NO_ALERT_CONTENT;
  const reason = 'legs_unknown';
  return { ...NO_ALERT_CONTENT, positionId, liquidationPriceReason: reason, remediesReason: reason };
}
