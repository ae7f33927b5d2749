// A plain HTTP server over the same route files, without Next. Fault tests run it as a separate process.
import { createServer } from 'node:http'
import { flushCompileCache } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { endpoints } from '../../lib/platform/api/index.ts'
import '../../scripts/app-imports.ts'

const root = path.resolve(import.meta.dirname, '../..')
const patterns = [...new Set([...endpoints.map((endpoint) => endpoint.path), '/webhooks/cards/{adapter}'])]
  .map((template) => ({
    template,
    names: [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    regex: new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]+)')}$`),
  }))
  .sort((a, b) => a.names.length - b.names.length)

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const found = patterns.find(({ regex }) => regex.test(pathname))
  if (!found) return new Response(null, { status: 404 })
  const values = found.regex.exec(pathname)!.slice(1).map(decodeURIComponent)
  const params = Promise.resolve(Object.fromEntries(found.names.map((name, at) => [name, values[at]!])))
  const file = path.join(root, 'app', found.template.replace(/\{(\w+)\}/g, '[$1]'), 'route.ts')
  const module = (await import(pathToFileURL(file).href)) as Record<
    string,
    (request: Request, route: { params: Promise<object> }) => Promise<Response>
  >
  return module[request.method]!(request, { params })
}

createServer((incoming, outgoing) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', async () => {
    const body = Buffer.concat(chunks)
    const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    )
    const response = await answer(
      new Request(`http://localhost${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers,
        ...(body.length > 0 && { body }),
      }),
    )
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  })
}).listen(Number(process.env.PORT), '127.0.0.1', () => {
  flushCompileCache() // this process is mostly killed, and would lose it
  process.send?.('listening')
})
