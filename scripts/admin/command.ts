import type { SystemContext } from '../../lib/platform/auth/context.ts'

/** A command of an operator on the installation itself: `npm run admin -- <name> …`. */
export type Command = {
  /** The arguments after the name, as the help shows them. */
  takes: string
  does: string
  /** Throws an Error whose message says what to do when it can't be done. */
  run: (worker: SystemContext, args: string[]) => Promise<void>
}
