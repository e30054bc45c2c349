import { IsIn, IsNotEmpty, IsNumber, IsString, Max, MaxLength } from 'class-validator';
import { DELEVERAGE_STRATEGIES, type DeleverageStrategy } from '../../automation';
import { IsWalletSignature, Optional } from '../fields';

/** Body of POST /inner/execution/readiness: the request of a rule when it fires. */
export class ExecutionReadinessBody {
  @IsString()
  @IsNotEmpty()
  @MaxLength(64)
  positionId!: string;

  @IsNumber()
  @Max(10)
  targetHealthFactor!: number;

  @IsIn(DELEVERAGE_STRATEGIES)
  strategy!: DeleverageStrategy;

  /** The rule fires below this health factor. Absent for other conditions. */
  @Optional()
  @IsNumber()
  belowHealthFactor?: number;

  @Optional()
  @IsWalletSignature()
  walletSignature?: string;
}
