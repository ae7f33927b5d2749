import type { WorkerContext } from './context.ts'

/** Deletes sessions, sign-in tokens and challenges of passkeys whose time is over. */
export async function deleteExpiredSignIns(worker: WorkerContext): Promise<void> {
  const expired = { where: { expires: { lte: worker.now() } } }
  await worker.db.session.deleteMany(expired)
  await worker.db.verificationToken.deleteMany(expired)
  await worker.db.passkeyChallenge.deleteMany(expired)
}
