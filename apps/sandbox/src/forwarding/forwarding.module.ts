import { Module } from '@nestjs/common';
import { SandboxesModule } from '../sandboxes/sandboxes.module';
import { Forwarder } from './forwarder';

@Module({ imports: [SandboxesModule], providers: [Forwarder] })
export class ForwardingModule {}
