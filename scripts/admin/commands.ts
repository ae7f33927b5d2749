import { approve } from './approve.ts'
import type { Command } from './command.ts'
import { createOrganization } from './create-organization.ts'
import { disable, enable } from './disable.ts'
import { invite } from './invite.ts'
import { list } from './list.ts'
import { maintenance } from './maintenance.ts'
import { reports } from './reports.ts'
import { signInLink } from './sign-in-link.ts'
import { suspend } from './suspend.ts'
import { suspended } from './suspended.ts'
import { unsuspend } from './unsuspend.ts'

export const commands: Record<string, Command> = {
  list,
  'create-organization': createOrganization,
  invite,
  approve,
  disable,
  enable,
  'sign-in-link': signInLink,
  reports,
  suspend,
  suspended,
  unsuspend,
  maintenance,
}
