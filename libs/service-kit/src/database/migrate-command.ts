import type { DynamicModule, Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants';
import { ServiceConfig } from '../config/service.config';
import { DatabaseModule, type SchemaModule } from './database.module';
import { migrate } from './migrate';

/**
 * Applies the missing migrations of a service without starting it. Returns what it did, as a line for a person.
 * @param appModule imports DatabaseModule, unless the service has no schema
 * @throws as `migrate`
 */
export async function runMigrations(appModule: Type, config: ServiceConfig): Promise<string> {
  const found = schemaModuleOf(appModule);
  if (!found || !('DATABASE_URL' in config)) return 'This service has no schema, so nothing is to migrate.\n';
  const { schema, folder, library } = found.migrations;
  const applied = await migrate(String(config.DATABASE_URL), schema, folder, library);
  return applied.length === 0
    ? `Schema ${schema} has every migration.\n`
    : `Applied to schema ${schema}:\n${applied.map((name) => `  ${name}\n`).join('')}`;
}

function schemaModuleOf(appModule: Type): SchemaModule | undefined {
  const imports = Reflect.getMetadata(MODULE_METADATA.IMPORTS, appModule) as
    (Type | DynamicModule)[] | undefined;
  return imports?.find((each): each is SchemaModule => 'module' in each && each.module === DatabaseModule);
}
