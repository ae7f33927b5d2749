import type { Context } from '../auth/context.ts'
import { AppError } from '../core/errors.ts'

/** TEST keys touch TEST accounts only. */
export function requireMode({ actor }: Context, mode: 'TEST' | 'LIVE'): void {
  if (actor.type === 'api_key' && actor.mode === 'TEST' && mode === 'LIVE') throw new AppError('mode_mismatch', 'A TEST key can’t touch a LIVE card account.')
}
