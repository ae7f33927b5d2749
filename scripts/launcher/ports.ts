import { randomInt } from 'node:crypto'
import net from 'node:net'

/** Whether nothing listens on the port. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** A port that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No free port.')),
      )
    })
  })
}

export type Ports = { web: number; postgres: number; chain: number; smtp: number }

/**
 * The ports, derived from the web's: the next is PostgreSQL's, then the chain's, then the mail server's. Where one of
 * those three is occupied, the next free port is used. Throws when the web's own port is occupied.
 */
export async function choosePorts(web: number): Promise<Ports> {
  if (!(await isFree(web)))
    throw new Error(`Port ${web} is taken by another program. Choose another one: npm run up -- --port ${web + 100}`)
  const taken = new Set([web])
  const next = async (first: number): Promise<number> => {
    for (let port = first; port < first + 200; port++) {
      if (taken.has(port) || !(await isFree(port))) continue
      taken.add(port)
      return port
    }
    throw new Error(`No free port between ${first} and ${first + 200}. Choose another one with --port.`)
  }
  const postgres = await next(web + 1)
  const chain = await next(web + 2)
  const smtp = await next(web + 3)
  return { web, postgres, chain, smtp }
}

/**
 * A web port with the three following ports free too, for tests. It is below the range of ephemeral ports of outgoing
 * connections.
 */
export async function freeStackPort(): Promise<number> {
  for (;;) {
    const web = 20_000 + randomInt(10_000)
    const ports = await choosePorts(web).catch(() => null)
    if (ports?.smtp === web + 3) return web
  }
}
