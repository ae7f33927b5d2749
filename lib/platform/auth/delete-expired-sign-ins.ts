import { DAY, secondsFrom } from '../../core/clock.ts'
import type { WorkerContext } from './context.ts'

/** Deletes sessions, sign-in tokens, records of mailed links and challenges of passkeys whose time is over. */
export async function deleteExpiredSignIns(worker: WorkerContext): Promise<void> {
  const expired = { where: { expires: { lte: worker.now() } } }
  await worker.db.session.deleteMany(expired)
  await worker.db.verificationToken.deleteMany(expired)
  await worker.db.passkeyChallenge.deleteMany(expired)
  await worker.db.signUp.deleteMany({
    where: { organizationId: null, createdAt: { lte: secondsFrom(worker.now(), -DAY) } },
  })
}
