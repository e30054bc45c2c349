import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { declaredOperations, isOutsidePath } from '@plimsoll/openapi';
import { ActivityModule } from './activity/activity.module';
import { IdentityModule } from './identity';
import { PublicDataModule } from './public-data/public-data.module';
import { RequestLogModule } from './request-log/request-log.module';
import { UsageModule } from './usage/usage.module';

const CONTROLLERS = [ActivityModule, IdentityModule, PublicDataModule, RequestLogModule, UsageModule].flatMap(
  (each) => Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, each) as Type[],
);

/** Returns `METHOD /path` of every route of a controller, from its decorators. */
function routesOf(controller: Type): string[] {
  const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
  const prototype = controller.prototype as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name] as object;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    const path = Reflect.getMetadata(PATH_METADATA, handler) as string;
    return [`${RequestMethod[method]} /${[base, path].filter((part) => part !== '/').join('/')}`];
  });
}

describe('the API outside of /v1', () => {
  it('has the same routes as the document', () => {
    const documented = Object.keys(declaredOperations()).filter((key) =>
      isOutsidePath(key.split(' ')[1] ?? ''),
    );
    const routes = CONTROLLERS.flatMap(routesOf).filter((route) => isOutsidePath(route.split(' ')[1] ?? ''));
    expect(routes.sort()).toEqual(documented.sort());
  });
});
