import { Injectable } from '@nestjs/common';
import type { StatusReport } from '@plimsoll/contracts';
import { version } from '../../../../package.json';
import { UpstreamReadiness, conditionOf } from './upstream-readiness';

@Injectable()
export class Status {
  constructor(private readonly readiness: UpstreamReadiness) {}

  async report(): Promise<StatusReport> {
    const services = await this.readiness.conditions();
    const status = conditionOf(Object.values(services));
    return { status, version, timestamp: new Date().toISOString(), services };
  }
}
