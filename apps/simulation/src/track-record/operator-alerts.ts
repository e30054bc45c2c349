import { Inject, Injectable } from '@nestjs/common';
import { OperationsServer, OperatorAlerts as StoredAlerts } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { operatorAlertsOpen } from '../metrics';

/** The outcomes contradict the forecasts. */
export const CALIBRATION = 'calibration';

/** Alerts of the track record for operators. */
@Injectable()
export class OperatorAlerts extends StoredAlerts {
  constructor(@Inject(Pool) pool: Pool, operations: OperationsServer) {
    super(pool, operatorAlertsOpen, [CALIBRATION]);
    operations.serve(this);
  }
}
