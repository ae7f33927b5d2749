import path from 'node:path'
import { defineConfig } from 'prisma/config'

// Prisma would download its schema engine on first use. The same engine comes from npm as WebAssembly, so every
// prisma command works offline.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.join(import.meta.dirname, 'scripts/schema-engine.mjs')

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.MIGRATE_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:3001/vitrine' },
})
