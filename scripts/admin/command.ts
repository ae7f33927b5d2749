import type { WorkerContext } from '../../lib/platform/auth/context.ts'

/** What an operator does on the installation itself: `npm run admin -- <name> …`. */
export type Command = {
  /** What comes after the name, as the help shows it. */
  takes: string
  does: string
  /** Throws an Error whose message says what to do when it can't be done. */
  run: (worker: WorkerContext, args: string[]) => Promise<void>
}
