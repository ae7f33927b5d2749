import { expect, test } from 'vitest'
import { readEnv } from '../../lib/core/env.ts'

test('a MAX_FEE_GWEI that can’t be read ends the start with its name', () => {
  for (const MAX_FEE_GWEI of ['1000;137', '137=5000', '1000;137=', '1000,137=5000', 'many'])
    expect(() => readEnv({ MAX_FEE_GWEI }), MAX_FEE_GWEI).toThrow('MAX_FEE_GWEI')
  expect(readEnv({ MAX_FEE_GWEI: '1000;137=5000' }).MAX_FEE_GWEI).toBe('1000;137=5000')
})

test('an operator’s webhook without a secret ends the start', () => {
  const settings = { OPERATOR_WEBHOOK_URL: 'https://ops.example.com/hook' }
  expect(() => readEnv(settings)).toThrow('OPERATOR_WEBHOOK_SECRET')
  const OPERATOR_WEBHOOK_SECRET = `whsec_${'A'.repeat(43)}=`
  expect(readEnv({ ...settings, OPERATOR_WEBHOOK_SECRET })).toMatchObject({ OPERATOR_WEBHOOK_SECRET })
})
