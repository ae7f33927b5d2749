import { findExcessRights } from '../../../lib/db/excess-rights.ts'
import { type Check, ok, warning, wrong } from '../check.ts'

/** Whether the logins of web and worker can do more than their work. */
export const logins: Check = {
  name: 'logins',
  run: async ({ settings, quote }) => {
    if (!settings.DATABASE_URL) return []
    try {
      const rights = await findExcessRights()
      if (rights.length === 0) return [ok('logins', 'None is a superuser or owns anything.')]
      return rights.map((detail) =>
        wrong('logins', detail, 'Give DATABASE_URL a user of its own, and run npm run migrate as the tables’ owner.'),
      )
    } catch (error) {
      return [warning('logins', `Their rights can’t be read: ${quote(error)}`, 'Mend the database first.')]
    }
  },
}
