import { Type } from '@sinclair/typebox';
import { RiskThresholds, riskLevelFields } from '../../risk/risk-level-schema';
import { FieldsOf } from '../fields';

/** Part of a response whose levels all use one table. */
export class WithRiskThresholds extends FieldsOf(Type.Object({ riskThresholds: RiskThresholds })) {}

/** The level of the figure beside it, with its reason. */
export class RiskLevelFields extends FieldsOf(Type.Object(riskLevelFields)) {}

/** The reason of a level that has another name. */
export class RiskLevelReason extends FieldsOf(
  Type.Object({
    riskLevelBasis: riskLevelFields.riskLevelBasis,
    riskLevelReason: riskLevelFields.riskLevelReason,
  }),
) {}
