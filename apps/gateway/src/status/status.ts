import { Injectable } from '@nestjs/common';
import { version } from '../../../../package.json';
import { type Condition, UpstreamReadiness, conditionOf } from './upstream-readiness';

/** Answer of GET /v1/status. */
export interface StatusReport {
  status: Condition;
  /** major.minor.patch of the service. */
  version: string;
  timestamp: string;
  services: Record<string, Condition>;
}

@Injectable()
export class Status {
  constructor(private readonly readiness: UpstreamReadiness) {}

  async report(): Promise<StatusReport> {
    const services = await this.readiness.conditions();
    const status = conditionOf(Object.values(services));
    return { status, version, timestamp: new Date().toISOString(), services };
  }
}
