import { randomInt } from 'node:crypto'
import net from 'node:net'

/** Nothing listens there: we can bind it ourselves. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Any port that is free right now. */
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
 * Every port derives from the web's: PostgreSQL is the next, then the chain, then the mail server. Where a program that
 * isn't ours has one of those three, the next free one is taken; the web's own port is a promise and is never moved.
 */
export async function choosePorts(web: number): Promise<Ports> {
  if (!(await isFree(web)))
    throw new Error(`Port ${web} is taken by another program. Choose another one: npm run up -- --port ${web + 100}`)
  const taken = new Set([web])
  const next = async (wanted: number): Promise<number> => {
    for (let port = wanted; port < wanted + 200; port++) {
      if (taken.has(port) || !(await isFree(port))) continue
      taken.add(port)
      return port
    }
    throw new Error(`No free port between ${wanted} and ${wanted + 200}. Choose another one with --port.`)
  }
  const postgres = await next(web + 1)
  const chain = await next(web + 2)
  const smtp = await next(web + 3)
  return { web, postgres, chain, smtp }
}

/** A port for a stack of its own, with the three behind it free as well. Below the range that outgoing connections take theirs from. */
export async function freeStackPort(): Promise<number> {
  for (;;) {
    const web = 20_000 + randomInt(10_000)
    const ports = await choosePorts(web).catch(() => null)
    if (ports?.smtp === web + 3) return web
  }
}
