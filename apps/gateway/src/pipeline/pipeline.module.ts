import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity';
import { LimitsModule } from '../limits/limits.module';
import { UsageModule } from '../usage/usage.module';
import { Admission } from './admission/admission';
import { CallsInFlight } from './forwarding/calls-in-flight';
import { RequestBodies } from './body/request-bodies';
import { Forwarder } from './forwarding/forwarder';
import { RequestSigner } from './forwarding/request-signer';
import { Upstreams } from './forwarding/upstreams';

/** Decides on requests of /v1 and forwards them. */
@Module({
  imports: [IdentityModule, LimitsModule, UsageModule],
  providers: [Admission, CallsInFlight, RequestBodies, RequestSigner, Forwarder, Upstreams],
  exports: [Admission, CallsInFlight, RequestBodies, RequestSigner, Forwarder, Upstreams],
})
export class PipelineModule {}
