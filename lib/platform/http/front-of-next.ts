import { oncePerProcess } from '../../core/once-per-process.ts'

const front = oncePerProcess('our server in front of Next', () => ({ stands: false }))

/** Our server stands before Next in this process. */
export const noteFront = (): void => void (front.stands = true)

/**
 * Throws where Next would answer by itself: what a request may be is looked at by our server alone (http-server.ts).
 */
export function assertFront(): void {
  if (!front.stands)
    throw new Error(
      'Next is started without the server of scripts/web.ts, which guards it. Use npm start or npm run dev.',
    )
}
