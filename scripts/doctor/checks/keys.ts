import { serverKeys } from '../../../lib/core/server-keys.ts'
import { withTimeout } from '../../../lib/core/with-timeout.ts'
import { countOldKeyUses, type OldKeyUse } from '../../../lib/data/keys/count-old-key-uses.ts'
import { systemContext } from '../../../lib/platform/auth/authenticate.ts'
import { type Check, type Finding, ok, type Subject, warning, wrong } from '../check.ts'

/** Whether something needs a server key that isn't listed, or one that is being replaced. */
export const keys: Check = {
  name: 'keys',
  run: async (subject) => {
    const { DATABASE_URL, SERVER_KEY } = subject.settings
    if (!DATABASE_URL || !SERVER_KEY) return [] // the settings say so
    const found = await withTimeout(count(subject), subject.timeoutMs * 4, [
      warning('SERVER_KEY', 'Counting what needs which key takes long.', 'Run npm run rotate-key -- --status.'),
    ])
    return found.length > 0 ? found : [ok('SERVER_KEY', 'Everything can be opened with it.')]
  },
}

async function count({ quote }: Subject): Promise<Finding[]> {
  try {
    return findingsOf(await countOldKeyUses(systemContext('doctor')))
  } catch (error) {
    return [warning('SERVER_KEY', `What needs which key can’t be read: ${quote(error)}`, 'Mend the database first.')]
  }
}

/**
 * The findings about keys in use. Values that were made before keys had ids are left out: nothing says whether their
 * key is listed.
 */
function findingsOf(uses: readonly OldKeyUse[]): Finding[] {
  const sum = (kinds: readonly OldKeyUse['kind'][], listed: boolean) =>
    uses.filter((use) => kinds.includes(use.kind) && use.listed === listed).reduce((all, use) => all + use.count, 0)
  const [sealed, links] = [sum(['SEALED'], false), sum(['OPEN_CLAIMS', 'OPEN_PURCHASES'], false)]
  const [apiKeys, unfinished] = [sum(['API_KEYS'], false), sum(['SEALED'], true)]
  const list = 'List the key again, beside the others (docs/keys.md)'
  return [
    sealed > 0 && wrong('SERVER_KEY', `${sealed} encrypted values need a key that isn’t listed.`, `${list}.`),
    links > 0 &&
      warning(
        'SERVER_KEY',
        `The links of ${links} open claims and purchases need a key that isn’t listed.`,
        `${list}, or send them again.`,
      ),
    apiKeys > 0 &&
      warning('SERVER_KEY', `${apiKeys} API keys need a key that isn’t listed.`, `${list}, or have new ones made.`),
    unfinished > 0 &&
      warning('SERVER_KEY', `${unfinished} encrypted values need an earlier key.`, 'Run npm run rotate-key.'),
    serverKeys().length > 1 &&
      ok('SERVER_KEY', 'It lists several keys. npm run rotate-key -- --status says what needs which.'),
  ].filter((finding) => finding !== false)
}
