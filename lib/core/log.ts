import pino from 'pino'
import { env } from './env.ts'

/** A URL without claim tokens, purchase secrets, proofs of wallets and email addresses, fit for a log. */
export const redactUrl = (url: string): string =>
  url
    .replace(/(\/(?:claim|email-claims|h|p)\/)[A-Za-z0-9_-]{20,}/g, '$1[redacted]')
    .replace(/([?&#](?:secret|token|proof|email)=)[^&#]*/g, '$1[redacted]')

export const log = pino({
  level: env.LOG_LEVEL,
  base: null,
  serializers: { error: pino.stdSerializers.errWithCause, cause: pino.stdSerializers.errWithCause },
  redact: {
    paths: [
      'authorization',
      'headers.authorization',
      'headers.cookie',
      'headers["x-api-key"]',
      'pin',
      'token',
      'secret',
      '*.pin',
      '*.token',
      '*.secret',
      '*.client_secret',
    ],
    censor: '[redacted]',
  },
})
