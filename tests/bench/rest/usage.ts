import { cpuSeconds } from '../http/cpu.ts'
import type { Stack } from '../http/sides.ts'

/** Seconds of processor time of each part of a sandbox; or, over a time, percent of one core. */
export type Usage = Record<'worker' | 'web' | 'postgres' | 'launcher' | 'chain', number>

/** PostgreSQL with everything that it starts: backends, checkpoints, autovacuum. */
export const usageOf = ({ pids }: Stack): Usage => ({
  worker: cpuSeconds(pids.worker),
  web: cpuSeconds(pids.web),
  postgres: cpuSeconds(pids.postgres, { children: true }),
  launcher: cpuSeconds(pids.launcher),
  chain: cpuSeconds(pids.chain),
})

export const useBetween = (before: Usage, after: Usage, seconds: number): Usage =>
  Object.fromEntries(
    Object.entries(after).map(([part, used]) => [part, ((used - before[part as keyof Usage]) / seconds) * 100]),
  ) as Usage

/** All but the local chain, which is there for trying things out. */
export const wholeOf = ({ worker, web, postgres, launcher }: Usage): number => worker + web + postgres + launcher
