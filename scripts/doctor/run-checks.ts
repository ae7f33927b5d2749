import { withTimeout } from '../../lib/core/with-timeout.ts'
import { clock } from './checks/clock.ts'
import { contracts } from './checks/contracts.ts'
import { database } from './checks/database.ts'
import { keys } from './checks/keys.ts'
import { logins } from './checks/logins.ts'
import { machine } from './checks/machine.ts'
import { mailServer } from './checks/mail-server.ts'
import { migrations } from './checks/migrations.ts'
import { nodes } from './checks/nodes.ts'
import { operators } from './checks/operators.ts'
import { origin } from './checks/origin.ts'
import { passkeys } from './checks/passkeys.ts'
import { senderDomain } from './checks/sender-domain.ts'
import { services } from './checks/services.ts'
import { settings } from './checks/settings.ts'
import { storage } from './checks/storage.ts'
import { stripe } from './checks/stripe.ts'
import { type Check, type Subject, wrong } from './check.ts'
import type { Report } from './report.ts'

/** In the order of the report. */
export const CHECKS: readonly Check[] = [
  settings,
  machine,
  database,
  logins,
  migrations,
  keys,
  nodes,
  contracts,
  operators,
  mailServer,
  senderDomain,
  stripe,
  storage,
  origin,
  services,
  passkeys,
  clock,
]

/**
 * Runs the checks at the same time. One that fails or takes longer than `limitMs` is a finding itself, and stops no
 * other.
 */
export const runChecks = (subject: Subject, limitMs: number, checks: readonly Check[] = CHECKS): Promise<Report> =>
  Promise.all(
    checks.map(async ({ name, run }) => ({
      check: name,
      findings: await withTimeout(
        run(subject).catch((error: unknown) => [
          wrong(name, `The check failed: ${subject.quote(error)}`, 'Mend what is named above or below first.'),
        ]),
        limitMs,
        [wrong(name, `No answer within ${Math.round(limitMs / 1000)} s.`, 'See whether the service answers at all.')],
      ),
    })),
  )
