// npm run python-client: writes packages/python/vitrine.py from the endpoint values.
import fs from 'node:fs'
import path from 'node:path'
import { pythonClient } from './python-client/write-python-client.ts'

fs.writeFileSync(path.resolve(import.meta.dirname, '../packages/python/vitrine.py'), await pythonClient())
