#!/usr/bin/env node
// Stands in for Prisma's native `schema-engine`, which the Prisma CLI would otherwise download. It speaks the same
// JSON-RPC over stdio and runs the WebAssembly build of the same engine (npm: @prisma/schema-engine-wasm) over
// @prisma/adapter-pg. Only needed for writing migrations: the product applies them with lib/db/migrate.ts.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

const require = createRequire(import.meta.url)
const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    datamodels: { type: 'string', multiple: true },
    datasource: { type: 'string' },
    'enabled-preview-features': { type: 'string' },
    'extension-types': { type: 'string' },
    version: { type: 'boolean' },
  },
})
const datasource = values.datasource ? JSON.parse(values.datasource) : {}

let panic = ''
globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  set_message: (message) => {
    panic = message
  },
}
let wasm
const loadWasm = () => (wasm ??= instantiate())
async function instantiate() {
  const entry = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const bindings = await import(entry)
  const { instance } = await WebAssembly.instantiate(readFileSync(join(dirname(entry), 'schema_engine_bg.wasm')), {
    './schema_engine_bg.js': bindings,
  })
  bindings.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return bindings
}

if (values.version || process.argv.includes('--version')) {
  const manifest = join(dirname(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg')), 'package.json')
  console.log('schema-engine-wasm ' + JSON.parse(readFileSync(manifest, 'utf8')).version)
  process.exit(0)
}

const pg = (await import('pg')).default

const adminUrl = (url) => Object.assign(new URL(url), { pathname: '/postgres' }).toString()
const databaseOf = (url) => decodeURIComponent(new URL(url).pathname.slice(1)) || 'postgres'

async function query(url, sql) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}

async function canConnect(url) {
  try {
    await query(url, 'SELECT 1')
  } catch (error) {
    if (error.code === '3D000') throw { error_code: 'P1003', message: `Database \`${databaseOf(url)}\` does not exist` }
    if (error.code === '28P01' || error.code === '28000')
      throw { error_code: 'P1000', message: `Authentication failed against database server: ${error.message}` }
    throw { error_code: 'P1001', message: `Can't reach database server at \`${new URL(url).host}\`: ${error.message}` }
  }
}

async function createDatabase(url) {
  await query(adminUrl(url), `CREATE DATABASE "${databaseOf(url).replaceAll('"', '""')}"`)
  return { databaseName: databaseOf(url) }
}

if (positionals[0] === 'cli') {
  try {
    if (positionals[1] === 'can-connect-to-database') await canConnect(datasource.url)
    else if (positionals[1] === 'create-database') await createDatabase(datasource.url)
    else throw { message: `unsupported: ${positionals[1]}` }
    process.stderr.write('\n')
    process.exit(0)
  } catch (error) {
    process.stderr.write('\n') // the CLI drops the first line of stderr
    const fields = { is_panic: false, error_code: error.error_code ?? '', message: error.message ?? String(error) }
    const line = { timestamp: new Date().toISOString(), level: 'ERROR', fields, target: 'schema_engine::logger' }
    process.stderr.write(JSON.stringify(line) + '\n')
    process.exit(1)
  }
}

// Three corrections to @prisma/adapter-pg 7.10, which isn't made for migrations:
//  1. it refuses the catalogue type "char" (OID 18) that the engine's introspection reads;
//  2. its executeScript() splits on every ';', which breaks function bodies and string literals;
//  3. its connectToShadowDb() is ineffective with a connection string (it would use the main database).
function repair(connection) {
  const { queryRaw, performIO, startTransaction } = connection
  connection.queryRaw = async (input) => {
    let chars = []
    const patched = Object.create(connection, {
      performIO: {
        value: async (statement) => {
          const result = await performIO.call(connection, statement)
          chars = result.fields.map((field) => field.dataTypeID === 18)
          const fields = result.fields.map((field) => (field.dataTypeID === 18 ? { ...field, dataTypeID: 25 } : field))
          return { ...result, fields }
        },
      },
    })
    const output = await queryRaw.call(patched, input)
    output.columnTypes = output.columnTypes.map((type, index) => (chars[index] ? 6 /* Character */ : type))
    return output
  }
  connection.executeScript = async (script) => {
    try {
      await connection.client.query(script)
    } catch (error) {
      connection.onError(error)
    }
  }
  if (startTransaction)
    connection.startTransaction = async (isolation) => repair(await startTransaction.call(connection, isolation))
  return connection
}

async function openConnection(url) {
  const { PrismaPg } = await import('@prisma/adapter-pg')
  const schema = url ? (new URL(url).searchParams.get('schema') ?? undefined) : undefined
  return repair(await new PrismaPg({ connectionString: url, max: 1 }, { schema }).connect())
}

async function openShadow(url) {
  if (datasource.shadowDatabaseUrl) return openConnection(datasource.shadowDatabaseUrl)
  const name = `prisma_migrate_shadow_db_${crypto.randomUUID()}`
  await query(adminUrl(url), `CREATE DATABASE "${name}"`)
  const connection = await openConnection(Object.assign(new URL(url), { pathname: '/' + name }).toString())
  const dispose = connection.dispose.bind(connection)
  connection.dispose = async () => {
    await dispose()
    await query(adminUrl(url), `DROP DATABASE IF EXISTS "${name}"`)
  }
  return connection
}

// Lets `migrate diff --from-empty --to-schema` run with no database at all.
async function openNothing() {
  const { PrismaPg } = await import('@prisma/adapter-pg')
  const connection = await new PrismaPg({ connectionString: 'postgresql://offline.invalid/x' }).connect()
  connection.queryRaw = async () => ({ columnNames: [], columnTypes: [], rows: [] })
  connection.executeRaw = async () => 0
  connection.executeScript = async () => {}
  return connection
}

// A fresh engine per request: a reused one loses its shadow database after applyMigrations.
async function openEngine(url = datasource.url) {
  const { bindMigrationAwareSqlAdapterFactory } = await import('@prisma/driver-adapter-utils')
  const bindings = await loadWasm()
  const adapter = bindMigrationAwareSqlAdapterFactory({
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => (url ? openConnection(url) : openNothing()),
    connectToShadowDb: () => openShadow(url),
  })
  const datamodels = (values.datamodels ?? []).map((path) => [path, readFileSync(path, 'utf8')])
  return bindings.SchemaEngine.new({ datamodels: datamodels.length ? datamodels : undefined }, () => {}, adapter)
}

async function pendingScript(params) {
  const { migrationsList, schema, filters } = params
  const from = migrationsList.migrationDirectories.length ? { tag: 'migrations', ...migrationsList } : { tag: 'empty' }
  const to = { tag: 'schemaDatamodel', ...schema }
  const answer = await (await openEngine()).diff({ from, to, script: true, exitCode: null, filters })
  return answer.stdout ?? ''
}

const statementsOf = (sql) =>
  sql
    .split(/;\s*(?:\n|$)/)
    .map((part) =>
      part
        .replace(/^--.*$/gm, '')
        .trim()
        .replace(/\s+/g, ' '),
    )
    .filter(Boolean)

const methods = {
  createDatabase: (params) => createDatabase(params?.datasource?.url ?? datasource.url),
  ensureConnectionValidity: async (params) => {
    await canConnect(params?.datasource?.url ?? datasource.url)
    return {}
  },
  getDatabaseVersion: async () => (await openEngine()).version(null),
  diff: async (params) => {
    const url = [params.from, params.to].find((side) => side.tag === 'url')?.url
    if ([params.from, params.to].every((side) => side.tag === 'empty' || side.tag === 'schemaDatamodel'))
      datasource.url = undefined
    const answer = await (await openEngine(url)).diff(params)
    if (answer.stdout != null)
      send({
        id: 1e6 + Math.floor(Math.random() * 1e6),
        jsonrpc: '2.0',
        method: 'print',
        params: { content: answer.stdout },
      })
    return { exitCode: answer.exitCode, stdout: null }
  },
  dbExecute: async (params) => {
    await (await openEngine(params.datasourceType?.url)).dbExecute(params)
    return null
  },
  // These two fail in every WebAssembly build as soon as a migration exists, so their answers are derived from `diff`.
  evaluateDataLoss: async (params) => {
    const statements = statementsOf(await pendingScript(params))
    const warnings = statements.flatMap((statement, stepIndex) => {
      if (/\bDROP (TABLE|COLUMN|TYPE|SCHEMA)\b/i.test(statement))
        return [{ stepIndex, message: `This drops data: ${statement}` }]
      if (/\bSET DATA TYPE\b/i.test(statement)) return [{ stepIndex, message: `This casts a column: ${statement}` }]
      if (/CREATE UNIQUE INDEX/i.test(statement))
        return [{ stepIndex, message: `This fails if duplicates exist: ${statement}` }]
      return []
    })
    return { migrationSteps: statements.length, unexecutableSteps: [], warnings }
  },
  createMigration: async (params) => {
    const script = await pendingScript(params)
    const empty = statementsOf(script).length === 0
    const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
    const name = params.migrationName.replace(/[^A-Za-z0-9_]+/g, '_').slice(0, 200)
    return {
      connectorType: 'postgresql',
      extension: 'sql',
      generatedMigrationName: `${stamp}_${name}`,
      migrationScript: !empty ? script : params.draft ? '-- This is an empty migration.' : null,
    }
  },
  reset: async (params) => {
    await (await openEngine()).reset(params)
    return {}
  },
}

async function callEngine(method, params) {
  const engine = await openEngine()
  if (!engine[method]) throw { message: `Method not found: ${method}` }
  return engine[method](params)
}

const send = (message) => process.stdout.write(JSON.stringify(message) + '\n')

async function answerRequest(request) {
  try {
    const call = methods[request.method] ?? ((params) => callEngine(request.method, params))
    send({ id: request.id, jsonrpc: '2.0', result: (await call(request.params)) ?? {} })
  } catch (error) {
    const data = {
      is_panic: Boolean(panic),
      message: panic || (error?.message ?? String(error)),
      meta: error?.meta ?? null,
      error_code: error?.error_code ?? error?.code ?? null,
    }
    const message = 'An error happened. Check the data field for details.'
    send({ id: request.id, jsonrpc: '2.0', error: { code: 4466, message, data } })
  }
}

let queue = Promise.resolve()
createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (!line.trim()) return
    const request = JSON.parse(line)
    if (!request.method) return // the acknowledgement of a `print`
    queue = queue.then(() => answerRequest(request))
  })
  .on('close', () => void queue.finally(() => process.exit(0))) // every request answers for its own errors
