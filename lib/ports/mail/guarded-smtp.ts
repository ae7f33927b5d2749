import { connect, isIP, type Socket } from 'node:net'
import nodemailer from 'nodemailer'
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js'
import { EgressRefused, type Target } from '../egress/egress.ts'
import { resolveReachableHost } from '../egress/reachable-host.ts'
import { type Mail, MailRefused } from './mail.ts'
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

/** Limits of one whole connection. */
const CONNECTION_TIMEOUT_MS = 45_000
const MAX_RECEIVED_BYTES = 256 * 1024

/**
 * Mail over a server that an organization named. Each connection resolves the name once, validates every address and connects to
 * the validated one, so that DNS rebinding has no effect. TLS is required and its certificate checked against the name, except at
 * a private address that the operator allows.
 */
export function guardedSmtp({ host, port: givenPort, username, password }: SmtpServer, { allow, ca }: SmtpReach): Mail {
  const port = givenPort ?? 587
  const name = host.replace(/^\[|\]$/g, '')
  const transport = nodemailer.createTransport({
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
        ({ socket, target }) => done(null, { connection: socket, requireTLS: !target.allowed }),
        (error: Error) => done(error, undefined),
      )
    },
  } satisfies SMTPTransport.Options)
  return { send: (message) => sendOverSmtp(transport, message, [password, `\0${username}\0${password}`]) }
}

async function open(host: string, port: number, allow: readonly string[]): Promise<{ socket: Socket; target: Target }> {
  const target = await resolveReachableHost(host, allow).catch((error: unknown) => {
    throw refusalOf(error, host)
  })
  if (!target.allowed && !SMTP_PORTS.includes(port))
    throw refused(`Mail servers are reached at the ports ${SMTP_PORTS.join(', ')} only.`)
  return { socket: await connected(target, port), target }
}

function refusalOf(error: unknown, host: string): unknown {
  if (error instanceof EgressRefused) return refused('The mail server’s address is not on the public internet.')
  if ((error as { syscall?: string }).syscall === 'getaddrinfo')
    return refused(`There is no mail server by the name ${host}.`)
  return error
}

const refused = (detail: string) => new MailRefused(detail, { permanent: false })

const connected = ({ address, family }: Target, port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: address, family, port })
    limitConnection(socket)
    socket.setTimeout(MAIL_TIMEOUT_MS, () => socket.destroy(new Error('it does not answer')))
    socket.on('error', reject) // stays attached: later errors also reach nodemailer's own listener
    socket.once('connect', () => {
      socket.setTimeout(0)
      resolve(socket)
    })
  })

/** Ends a connection that takes too long or receives too much, so that one server can't block the sending of other mail. */
function limitConnection(socket: Socket): void {
  const timeout = setTimeout(() => socket.destroy(new Error('it took too long')), CONNECTION_TIMEOUT_MS)
  const size = setInterval(
    () => socket.bytesRead > MAX_RECEIVED_BYTES && socket.destroy(new Error('it said too much')),
    200,
  )
  socket.once('close', () => {
    clearTimeout(timeout)
    clearInterval(size)
  })
}
