/**
 * `comment`: the lines of comments before the statement. `words`: the statement without comments and without what is
 * quoted by ' or $.
 */
export type Statement = { text: string; comment: string; words: string }

// A comment, a quoted text, a quoted name, a text between dollar signs, the end of a statement, or any other character.
const PART = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[\s\S]/g

/** The statements of a migration. */
export function splitStatements(sql: string): Statement[] {
  const statements: Statement[] = []
  let current: Statement = { text: '', comment: '', words: '' }
  for (const [part] of sql.matchAll(PART)) {
    const isComment = part.startsWith('--') || part.startsWith('/*')
    if (isComment && current.text.trim() === '') {
      current.comment += `${part}\n`
      continue
    }
    if (part !== ';') {
      current.text += part
      if (!isComment) current.words += part.startsWith("'") || /^\$\w*\$/.test(part) ? "''" : part
      continue
    }
    statements.push(trimmed(current))
    current = { text: '', comment: '', words: '' }
  }
  if (current.text.trim() !== '') statements.push(trimmed(current))
  return statements
}

const trimmed = ({ text, comment, words }: Statement): Statement => ({
  text: text.trim(),
  comment: comment.trim(),
  words: words.trim().replace(/\s+/g, ' '),
})
