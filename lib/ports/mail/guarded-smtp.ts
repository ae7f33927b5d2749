import { connect, isIP, type Socket } from 'node:net'
import nodemailer from 'nodemailer'
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js'
import { EgressRefused, type Target } from '../egress/egress.ts'
import { resolveReachableHost } from '../egress/reachable-host.ts'
import { type Mail, MailRefused } from './mail.ts'
import { MAIL_TIMEOUT_MS, sendOverSmtp } from './smtp.ts'

export type SmtpServer = { host: string; port: number | null; username: string; password: string }
export type SmtpReach = {
  /** Private ranges that may be reached after all. */
  allow: readonly string[]
  /** A certificate authority to believe besides the usual ones, for tests. */
  ca?: string | undefined
}

/** Where mail servers take mail from programs. Any other port of a stranger's machine is none of our business. */
const PORTS: readonly number[] = [25, 465, 587, 2465, 2525, 2587]
const TLS_FROM_THE_START: readonly number[] = [465, 2465]

const WHOLE_MS = 45_000
const MOST_BYTES = 256 * 1024

/**
 * Mail over a server that somebody else named. Every connection judges the name anew and goes to the judged address itself, so that a
 * name can't change its mind in between. TLS is required, its certificate checked against the name, unless the address is a private
 * one that the operator allows.
 */
export function guardedSmtp({ host, port: wanted, username, password }: SmtpServer, { allow, ca }: SmtpReach): Mail {
  const port = wanted ?? 587
  const name = host.replace(/^\[|\]$/g, '')
  const transport = nodemailer.createTransport({
    host: name,
    port,
    secure: TLS_FROM_THE_START.includes(port),
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
  return { send: (letter) => sendOverSmtp(transport, letter, [password, `\0${username}\0${password}`]) }
}

async function open(host: string, port: number, allow: readonly string[]): Promise<{ socket: Socket; target: Target }> {
  const target = await resolveReachableHost(host, allow).catch((error: unknown) => {
    throw refusalOf(error, host)
  })
  if (!target.allowed && !PORTS.includes(port))
    throw refused(`Mail servers are reached at the ports ${PORTS.join(', ')} only.`)
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
    watch(socket)
    socket.setTimeout(MAIL_TIMEOUT_MS, () => socket.destroy(new Error('it does not answer')))
    socket.on('error', reject) // stays: an error after this promise is settled is told to whoever uses the socket
    socket.once('connect', () => {
      socket.setTimeout(0)
      resolve(socket)
    })
  })

/** A server that drips a byte at a time, or never stops talking, holds nobody else's mail up. */
function watch(socket: Socket): void {
  const whole = setTimeout(() => socket.destroy(new Error('it took too long')), WHOLE_MS)
  const size = setInterval(() => socket.bytesRead > MOST_BYTES && socket.destroy(new Error('it said too much')), 200)
  socket.once('close', () => {
    clearTimeout(whole)
    clearInterval(size)
  })
}
