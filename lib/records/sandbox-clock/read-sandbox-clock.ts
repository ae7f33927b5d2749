import { realNow, setBusinessTimeAhead } from '../../core/clock.ts'
import type { ModelsContext } from '../../platform/auth/context.ts'

/** A sandbox's two times. */
export type SandboxClock = { now: Date; realNow: Date; aheadSeconds: number }

/** Reads how far the sandbox's clock was advanced, and has this process follow it. */
export async function readSandboxClock({ db }: ModelsContext<'sandboxClock'>): Promise<SandboxClock> {
  const row = await db.sandboxClock.findUnique({ where: { id: 1 } })
  return followClock(Number(row?.aheadMs ?? 0))
}

/** Sets this process's business time. */
export function followClock(aheadMs: number): SandboxClock {
  setBusinessTimeAhead(aheadMs)
  const at = realNow()
  return { now: new Date(at.getTime() + aheadMs), realNow: at, aheadSeconds: aheadMs / 1000 }
}
