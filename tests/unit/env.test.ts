import { expect, test } from 'vitest'
import { readEnv } from '../../lib/core/env.ts'

test('a MAX_FEE_GWEI or MAX_IN_FLIGHT that can’t be read ends the start with its name', () => {
  for (const MAX_FEE_GWEI of ['1000;137', '137=5000', '1000;137=', '1000,137=5000', 'many'])
    expect(() => readEnv({ MAX_FEE_GWEI }), MAX_FEE_GWEI).toThrow('MAX_FEE_GWEI')
  for (const MAX_IN_FLIGHT of ['0', '16;137', '137=64', '16;137=0', '1000', 'many'])
    expect(() => readEnv({ MAX_IN_FLIGHT }), MAX_IN_FLIGHT).toThrow('MAX_IN_FLIGHT')
  expect(readEnv({ MAX_IN_FLIGHT: '16;137=64' }).MAX_IN_FLIGHT).toBe('16;137=64')
  expect(readEnv({ MAX_FEE_GWEI: '1000;137=5000' }).MAX_FEE_GWEI).toBe('1000;137=5000')
})

test('a setting that can’t be read is named with what is expected there, and its value isn’t shown', () => {
  const settings = {
    PORT: 'http',
    DATABASE_POOL: '-1',
    ORIGIN: 'shop.example.com',
    VITRINE_SANDBOX: 'yes',
    LOG_LEVEL: 'information',
    OIDC_ROLES: 'vitrine-admins',
    WORKER_HEALTH_PORT: 'many',
  }
  expect(() => readEnv(settings)).toThrow(`These settings are not valid:
  PORT: Expected a whole number.
  ORIGIN: Expected a URL.
  WORKER_HEALTH_PORT: Expected a whole number.
  VITRINE_SANDBOX: Expected 0 or 1.
  DATABASE_POOL: This must be at least 0.
  OIDC_ROLES.0: Entries such as vitrine-admins=ADMIN are expected.
  LOG_LEVEL: Expected trace, debug, info, warn, error or silent.`)
})

test('an operator’s webhook without a secret ends the start', () => {
  const settings = { OPERATOR_WEBHOOK_URL: 'https://ops.example.com/hook' }
  expect(() => readEnv(settings)).toThrow('OPERATOR_WEBHOOK_SECRET')
  const OPERATOR_WEBHOOK_SECRET = `whsec_${'A'.repeat(43)}=`
  expect(readEnv({ ...settings, OPERATOR_WEBHOOK_SECRET })).toMatchObject({ OPERATOR_WEBHOOK_SECRET })
})
