import { Ajv, type ValidateFunction } from 'ajv'
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { handleSandboxRequest } from '../../lib/ports/sandbox-cards/provider.ts'

type OperationDescription = { method: string; path: string; parameters: object }
const described = JSON.parse(fs.readFileSync(path.resolve(import.meta.dirname, 'stripe-openapi.json'), 'utf8')) as {
  operations: OperationDescription[]
  answers: Record<string, object>
}

// A form carries text only, so numbers and booleans are parsed from it, as Stripe does.
const requests = new Ajv({ strict: false, coerceTypes: 'array', allErrors: true, validateFormats: false })
const responses = new Ajv({ strict: false, allErrors: true, validateFormats: false })
const operations = described.operations.map((operation) => ({
  ...operation,
  regex: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
  validate: requests.compile(operation.parameters),
}))
const answers: Record<string, ValidateFunction> = Object.fromEntries(
  Object.entries(described.answers).map(([name, schema]) => [name, responses.compile(schema)]),
)

/** `a[b][0]=c` as a nested value. */
function parseNestedForm(form: URLSearchParams): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const [name, value] of form) {
    const keys = [...name.matchAll(/[^[\]]+/g)].map(([key]) => key)
    let at = root
    keys.forEach((key, depth) => {
      if (depth === keys.length - 1) at[key] = value
      else at = (at[key] ??= {}) as Record<string, unknown>
    })
  }
  return listsIn(root) as Record<string, unknown>
}

const listsIn = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, entry]) => [key, listsIn(entry)] as const)
  return entries.length > 0 && entries.every(([key], at) => key === String(at))
    ? entries.map(([, entry]) => entry)
    : Object.fromEntries(entries)
}

const describeErrors = (validate: ValidateFunction) =>
  (validate.errors ?? [])
    .map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)
    .join('; ')

/** How a request violates Stripe's published description; null if it doesn't. */
export function schemaViolationOf(method: string, pathname: string, form: URLSearchParams): string | null {
  const operation = operations.find((candidate) => candidate.method === method && candidate.regex.test(pathname))
  if (!operation) return `${method} ${pathname} is no operation of Stripe's.`
  return operation.validate(parseNestedForm(form))
    ? null
    : `${method} ${operation.path}: ${describeErrors(operation.validate)}`
}

export type StripeServer = {
  url: string
  violations: string[]
  seen: { method: string; path: string; headers: Record<string, string>; form: Record<string, unknown> }[]
  down: boolean
  close(): Promise<void>
}

/**
 * A Stripe stand-in: the built-in provider over HTTP; every request and answer is checked against Stripe's description.
 */
export async function startStripeServer(): Promise<StripeServer> {
  const state: StripeServer = { url: '', violations: [], seen: [], down: false, close: async () => undefined }
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      if (state.down)
        return void outgoing
          .writeHead(503, { 'content-type': 'application/json', 'stripe-should-retry': 'false' })
          .end('{"error":{"type":"api_error","message":"Down."}}')
      const url = new URL(incoming.url ?? '/', 'http://localhost')
      const text = Buffer.concat(chunks).toString('utf8')
      const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
      const method = incoming.method ?? 'GET'
      const form = method === 'GET' ? url.searchParams : new URLSearchParams(text)
      state.seen.push({ method, path: url.pathname, headers, form: parseNestedForm(form) })
      const violation = schemaViolationOf(method, url.pathname, form)
      if (violation) state.violations.push(violation)
      const answer = await handleSandboxRequest(
        new Request(url, { method, headers, ...(method !== 'GET' && { body: text }) }),
      )
      const body = await answer.text()
      const object = JSON.parse(body) as { object?: string }
      const check = object.object ? answers[object.object] : undefined
      if (answer.ok && check && !check(JSON.parse(body)))
        state.violations.push(`The answer ${object.object}: ${describeErrors(check)}`)
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  state.close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  return state
}
