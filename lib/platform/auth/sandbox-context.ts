import { systemContext } from './authenticate.ts'
import type { SystemContext } from './context.ts'

/** For the sandbox's clock, which is one for all organizations. */
export const sandboxClockContext = (): SystemContext => systemContext('sandbox clock')
