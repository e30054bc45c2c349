import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity';
import { Activity } from './activity';
import { ActivityController } from './activity.controller';

/** Says when the lists of an account have something new. */
@Module({ imports: [IdentityModule], controllers: [ActivityController], providers: [Activity] })
export class ActivityModule {}
