import nodemailer from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection/index.js'

export type SmtpSession = { host: string; secure: boolean; loggedIn: boolean }

/**
 * Connects to a mail server and logs in, if `url` has a user, without sending anything. Throws the server's refusal as
 * an Error.
 */
export function checkSmtp(url: string, timeoutMs: number): Promise<SmtpSession> {
  const { options } = nodemailer.createTransport({ url, disableFileAccess: true, disableUrlAccess: true })
  const { host = '', auth } = options as { host?: string; auth?: { user?: string; pass?: string } }
  const connection = new SMTPConnection({
    ...(options as object),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  return new Promise<SmtpSession>((resolve, reject) => {
    connection.once('error', reject)
    connection.once('end', () => reject(new Error('The connection was closed.')))
    connection.connect(() => {
      const secure = connection.secure
      if (!auth?.user) return resolve({ host, secure, loggedIn: false })
      connection.login({ user: auth.user, pass: auth.pass ?? '' }, (error) =>
        error ? reject(error) : resolve({ host, secure, loggedIn: true }),
      )
    })
  }).finally(() => connection.close())
}
