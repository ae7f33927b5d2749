import pino from 'pino'
import { env } from './env.ts'
import { redact } from './redact.ts'

export const log = pino({
  level: env.LOG_LEVEL,
  base: null,
  hooks: { streamWrite: redact },
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
