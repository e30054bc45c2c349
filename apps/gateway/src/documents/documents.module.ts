import { Module } from '@nestjs/common';
import { DocumentsController } from './documents.controller';
import { PortalController } from './portal.controller';

@Module({ controllers: [DocumentsController, PortalController] })
export class DocumentsModule {}
