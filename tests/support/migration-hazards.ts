import { splitStatements } from '../../lib/db/split-statements.ts'

/** What processes of the release before may still use, write or leave out. */
const HAZARDS: readonly [RegExp, string][] = [
  [/\bDROP COLUMN\b/i, 'drops a column'],
  [/^DROP (TABLE|TYPE|VIEW|SCHEMA)\b/i, 'drops what may be in use'],
  [/\bRENAME (COLUMN|TO|VALUE)\b|\bRENAME "?\w+"? TO\b/i, 'renames'],
  [/\bALTER (COLUMN )?"?\w+"? (SET DATA )?TYPE\b/i, 'changes a type'],
  [/\bSET NOT NULL\b/i, 'forbids null'],
]

/** The statements that need a line `-- safe: <why>` before them and have none. */
export const findHazards = (sql: string): string[] =>
  splitStatements(sql).flatMap(({ words, comment }) => {
    if (/^-- safe: \S/m.test(comment)) return []
    const found = HAZARDS.filter(([pattern]) => pattern.test(words)).map(([, what]) => what)
    if (addsRequiredColumn(words)) found.push('adds a column that must be given')
    return found.map((what) => `${what}: ${words.slice(0, 120)}`)
  })

const addsRequiredColumn = (words: string): boolean =>
  /^ALTER TABLE\b/i.test(words) &&
  words
    .split(/\bADD COLUMN\b/i)
    .slice(1)
    .some((column) => /\bNOT NULL\b/i.test(column) && !/\bDEFAULT\b|\bGENERATED\b/i.test(column))
