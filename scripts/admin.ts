// npm run admin -- <command>: what an operator does on the installation itself. Without a command it lists them.
import { env } from '../lib/core/env.ts'
import { disconnect } from '../lib/db/client.ts'
import { commandFailure } from '../lib/db/errors.ts'
import { measureClock } from '../lib/db/measure-clock.ts'
import { systemContext } from '../lib/platform/auth/authenticate.ts'
import { commands } from './admin/commands.ts'

const [name, ...args] = process.argv.slice(2)
const command = name === undefined || name === 'help' ? null : commands[name]

if (!command) {
  if (command === undefined) console.error(`There is no command ${name}.\n`)
  for (const [each, { takes, does }] of Object.entries(commands))
    console.log(`  ${`${each} ${takes}`.padEnd(44)}${does}`)
  process.exit(command === null ? 0 : 1)
}
if (!env.DATABASE_URL) {
  console.error('Set DATABASE_URL to the database of the installation, and the other settings as for the worker.')
  process.exit(1)
}
try {
  await measureClock()
  await command.run(systemContext('admin'), args)
} catch (error) {
  console.error(commandFailure(error))
  process.exitCode = 1
}
await disconnect()
