// npm run verify: compares stock, money and chain, each with the others, and prints where they disagree.
import { verifyBooks } from '../lib/audit/verify-books.ts'
import { workerContext } from '../lib/auth/authenticate.ts'
import { disconnect } from '../lib/db/client.ts'

const findings = await verifyBooks(workerContext('verify'))
for (const { check, subject, detail } of findings) console.log(`DISAGREES  ${check}\n           ${subject}: ${detail}`)
console.log(findings.length === 0 ? 'Stock, money and chain agree.' : `${findings.length === 1 ? 'One thing disagrees' : `${findings.length} things disagree`}.`)
await disconnect()
process.exit(findings.length === 0 ? 0 : 1)
