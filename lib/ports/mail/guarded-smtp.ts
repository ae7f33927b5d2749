import { createHash } from 'node:crypto'
import { connect, isIP, type Socket } from 'node:net'
import nodemailer, { type Transporter } from 'nodemailer'
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js'
import { limitConcurrency } from '../../core/limit-concurrency.ts'
import { EgressRefused, type Target } from '../egress/egress.ts'
import { pinnedLookup, resolveReachableHost } from '../egress/reachable-host.ts'
import { type Mail, type MailMessage, MailRefused, type SentMail } from './mail.ts'
import { MAIL_TIMEOUT_MS, sendOverSmtp } from './smtp.ts'

export type SmtpServer = { host: string; port: number | null; username: string; password: string }
export type SmtpReach = {
  /** Private address ranges that may be reached (EGRESS_ALLOW). */
  allow: readonly string[]
  /** A certificate authority that is trusted besides the system's, for tests. */
  ca?: string | undefined
}

/** The ports that mail servers accept mail on. No other port of a public host is connected to. */
const SMTP_PORTS: readonly number[] = [25, 465, 587, 2465, 2525, 2587]
const IMPLICIT_TLS_PORTS: readonly number[] = [465, 2465]

/**
 * Limits that keep one server from blocking other mail: of a mail's wait for a connection, of its sending after that,
 * and of one connection.
 */
const MAIL_LIMIT_MS = 45_000
const MAX_RECEIVED_BYTES = 256 * 1024
/** Connections to one server. One is used for so many mails, and ended when none has followed for MAIL_TIMEOUT_MS. */
const MAX_CONNECTIONS = 4
const MAX_MAILS_PER_CONNECTION = 100
/** Servers whose connections are kept for the next mail. */
const MAX_SERVERS = 100

/**
 * `inTurn`: sends no more mails at once than there are connections. `isEnded`: nodemailer never answers for a further
 * mail.
 */
type Connections = {
  transport: Transporter
  sockets: Set<Socket>
  inTurn: ReturnType<typeof limitConcurrency>
  isEnded: boolean
}

/** By a hash of all settings: other ones, such as a new password, never use a connection that was opened before. */
const kept = new Map<string, Connections>()

/**
 * Mail over a server that an organization named, with pooled connections. Each connection resolves the name once,
 * validates every address and connects to a validated one, so that DNS rebinding has no effect. TLS is required and its
 * certificate checked against the name, except at a private address that the operator allows.
 */
export function guardedSmtp(server: SmtpServer, reach: SmtpReach): Mail {
  const { host, port, username, password } = server
  const key = createHash('sha256')
    .update(JSON.stringify([host, port, username, password, reach]))
    .digest('base64')
  const secrets = [password, `\0${username}\0${password}`]
  return {
    send: (message) => {
      const connections = connectionsOf(key, server, reach)
      const asked = performance.now()
      return connections.inTurn(() => {
        if (connections.isEnded || performance.now() - asked > MAIL_LIMIT_MS)
          throw refused('The mail server is too slow.')
        return sendInTime(key, connections, message, secrets)
      })
    },
  }
}

function connectionsOf(key: string, server: SmtpServer, reach: SmtpReach): Connections {
  const found = kept.get(key) ?? openConnections(server, reach)
  // The server used last is the last to be forgotten.
  kept.delete(key)
  kept.set(key, found)
  for (const [oldest, connections] of kept) {
    if (kept.size <= MAX_SERVERS) break
    kept.delete(oldest)
    end(connections)
  }
  return found
}

function openConnections({ host, port: given, username, password }: SmtpServer, { allow, ca }: SmtpReach): Connections {
  const port = given ?? 587
  const name = host.replace(/^\[|\]$/g, '')
  const sockets = new Set<Socket>()
  const options: SMTPPool.Options & { maxRequeues: number } = {
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    maxMessages: MAX_MAILS_PER_CONNECTION,
    // A kept connection may end just when the next mail begins.
    maxRequeues: 1,
    host: name,
    port,
    secure: IMPLICIT_TLS_PORTS.includes(port),
    auth: { user: username, pass: password },
    greetingTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    tls: { ...(isIP(name) === 0 && { servername: name }), ...(ca && { ca }) },
    getSocket: (_options, done) => {
      open(name, port, allow).then(
        ({ socket, target }) => {
          sockets.add(socket.once('close', () => sockets.delete(socket)))
          done(null, { connection: socket, requireTLS: !target.allowed })
        },
        (error: Error) => done(error, undefined),
      )
    },
  }
  return {
    transport: nodemailer.createTransport(options),
    sockets,
    inTurn: limitConcurrency(MAX_CONNECTIONS),
    isEnded: false,
  }
}

function end(connections: Connections): void {
  connections.isEnded = true
  connections.transport.close()
}

/**
 * Sends one mail. When that takes too long, all connections to its server are ended, and other mail for them is tried
 * again later.
 */
async function sendInTime(
  key: string,
  connections: Connections,
  message: MailMessage,
  secrets: readonly string[],
): Promise<SentMail> {
  const late = new AbortController()
  const limit = setTimeout(() => {
    if (kept.get(key) === connections) kept.delete(key)
    end(connections)
    for (const socket of connections.sockets) socket.destroy()
    late.abort()
  }, MAIL_LIMIT_MS)
  try {
    return await Promise.race([sendOverSmtp(connections.transport, message, secrets), tookTooLong(late.signal)])
  } finally {
    clearTimeout(limit)
  }
}

const tookTooLong = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(refused('The mail server can’t be reached: it took too long'))),
  )

async function open(host: string, port: number, allow: readonly string[]): Promise<{ socket: Socket; target: Target }> {
  const target = await resolveReachableHost(host, allow).catch((error: unknown) => {
    throw refusalOf(error, host)
  })
  if (!target.allowed && !SMTP_PORTS.includes(port))
    throw refused(`Mail servers are reached at the ports ${SMTP_PORTS.join(', ')} only.`)
  return { socket: await connected(host, target, port), target }
}

function refusalOf(error: unknown, host: string): unknown {
  if (error instanceof EgressRefused)
    return refused(
      'The mail server’s address is not on the public internet. ' +
        'Who runs this installation can allow its range with EGRESS_ALLOW.',
    )
  if ((error as { syscall?: string }).syscall === 'getaddrinfo')
    return refused(`There is no mail server by the name ${host}.`)
  return error
}

const refused = (detail: string) => new MailRefused(detail, { permanent: false })

const connected = (host: string, target: Target, port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: pinnedLookup(target), autoSelectFamily: true })
    limitConnection(socket)
    socket.setTimeout(MAIL_TIMEOUT_MS, () => socket.destroy(new Error('it does not answer')))
    socket.on('error', reject) // stays attached: later errors also reach nodemailer's own listener
    socket.once('connect', () => {
      socket.setTimeout(0)
      resolve(socket)
    })
  })

/** Ends a connection that receives too much. */
function limitConnection(socket: Socket): void {
  const size = setInterval(
    () => socket.bytesRead > MAX_RECEIVED_BYTES && socket.destroy(new Error('it said too much')),
    200,
  )
  socket.once('close', () => clearInterval(size))
}
