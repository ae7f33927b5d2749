import { log } from '../../core/log.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'

const front = oncePerProcess('our server in front of Next', () => ({ stands: false }))

/** Our server stands before Next in this process. */
export const noteFront = (): void => void (front.stands = true)

/**
 * Ends the process where Next would answer by itself: our server alone looks at who asks, and for what. Next would only
 * log an error that is thrown here, and go on listening.
 */
export function exitWithoutFront(): void {
  if (front.stands) return
  log.fatal('Next is started without the server of scripts/web.ts, which guards it. Use npm start or npm run dev.')
  process.exit(1)
}
