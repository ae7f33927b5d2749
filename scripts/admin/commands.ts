import type { Command } from './command.ts'
import { list } from './list.ts'
import { reports } from './reports.ts'
import { suspend } from './suspend.ts'
import { suspended } from './suspended.ts'
import { unsuspend } from './unsuspend.ts'

export const commands: Record<string, Command> = { list, reports, suspend, suspended, unsuspend }
