import { createHash, randomBytes } from 'node:crypto'
import { inTransaction, type ModelsContext } from '../platform/auth/context.ts'
import { HOUR, secondsFrom } from '../core/clock.ts'
import type { Statement } from '../db/statements.ts'

/** The page that a setup link opens. */
const SETUP_PATH = '/sign-in/setup'

const LOCK: Statement = { name: 'lock_setup_links', text: 'LOCK TABLE setup_links IN SHARE ROW EXCLUSIVE MODE' }

/**
 * A link that sets up an installation without an organization, once and within an hour; null where there is one. Each
 * call adds a link, so that those which several web processes print all work. Only its token's hash is stored. The
 * token stands behind a #, which browsers send to no server: it is in no log and no referrer, and opening the link uses
 * nothing up.
 */
export const issueSetupLink = (worker: ModelsContext<'setupLink' | 'organization'>): Promise<string | null> =>
  inTransaction(worker, async (tx) => {
    await lockSetup(tx)
    if (await isSetUp(tx)) return null
    const token = randomBytes(32).toString('base64url')
    await tx.db.setupLink.deleteMany({ where: { expiresAt: { lte: tx.now() } } })
    await tx.db.setupLink.create({ data: { tokenHash: setupTokenHash(token), expiresAt: secondsFrom(tx.now(), HOUR) } })
    return `${tx.ports.addresses.origin}${SETUP_PATH}#${token}`
  })

/**
 * Waits for organizations that are being made, whose trigger deletes the links, and makes others wait for this
 * transaction. The lock is taken with the next statement.
 */
export const lockSetup = (tx: ModelsContext<'setupLink'>): Promise<void> => tx.later(LOCK)

/** Whether the installation has an organization. */
export const isSetUp = async ({ db }: ModelsContext<'organization'>): Promise<boolean> =>
  (await db.organization.findFirst({ select: { id: true } })) !== null

export const setupTokenHash = (token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(token).digest())
