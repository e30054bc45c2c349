import { defineConfig } from 'prisma/config';

// Each app owns its schema file: pass --schema apps/<app>/prisma/schema.prisma (tools/prisma-generate.cjs does).
export default defineConfig({});
