import path from 'node:path'
import { parseArgs } from 'node:util'

export type Options = { port: number; fresh: boolean; dev: boolean; dataDir: string; dataDirGiven: boolean }

const HELP = `npm run up [-- options]

  --port N    the port of the web pages (or PORT; 3000 otherwise). All other ports derive from it.
  --fresh     start over: deletes this folder's database, chain, mail and secrets
  --dev       pages are compiled as they are visited, and reload when a file changes
  --help      this text

  DATA_DIR    the folder for all data (.data otherwise)
  Any setting of .env.example may be given as well, in the environment or in a file .env.`

/** The options from the command line and the environment. Throws an Error for people when one is not valid. */
export function readOptions(root: string, args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string' },
      fresh: { type: 'boolean' },
      dev: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    console.log(HELP)
    process.exit(0)
  }
  const given = values.port ?? (process.env.PORT || '3000')
  const port = Number(given)
  if (!Number.isInteger(port) || port < 1 || port > 65_000)
    throw new Error(`${given} is not a port: it has to be a number between 1 and 65000.`)
  return {
    port,
    fresh: values.fresh ?? false,
    dev: values.dev ?? false,
    dataDir: path.resolve(root, process.env.DATA_DIR || '.data'),
    dataDirGiven: Boolean(process.env.DATA_DIR),
  }
}
