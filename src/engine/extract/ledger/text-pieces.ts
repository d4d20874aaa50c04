/** A piece of a file's text that an edit replaced. Without `before` it is the whole text of the file. */
export type TextPiece = { readonly before?: string; readonly after: string }

/** The pieces in the arguments of a tool that edits or writes one file, under the names that any agent uses. */
export function textPieces(input: unknown): TextPiece[] {
  const fields = fieldsOf(input)
  if (fields === undefined) return []
  const { edits } = fields
  if (Array.isArray(edits)) return edits.flatMap((edit) => pieceOf(fieldsOf(edit)) ?? [])
  return pieceOf(fields) ?? []
}

/** Claude Code, Gemini CLI · opencode · pi, Pith · Copilot, OpenHands, SWE-agent · SWE-agent's windowed editor. */
const OLD = ['old_string', 'oldString', 'oldText', 'old_str', 'search'] as const
const NEW = ['new_string', 'newString', 'newText', 'new_str', 'replace'] as const
const INSERTED = ['insert_text', 'new_str', 'text', 'new_source'] as const
const WHOLE = ['content', 'file_text', 'contents'] as const

type Fields = Readonly<Record<string, unknown>>

function pieceOf(fields: Fields | undefined): TextPiece[] | undefined {
  if (fields === undefined) return undefined
  const before = textIn(fields, OLD)
  const after = textIn(fields, NEW)
  if (before !== undefined && after !== undefined) return [{ before, after }]
  // An edit with an empty new text may leave it out.
  if (before !== undefined) return [{ before, after: '' }]
  const whole = textIn(fields, WHOLE)
  if (whole !== undefined) return [{ after: whole }]
  const inserted = textIn(fields, INSERTED)
  return inserted === undefined ? undefined : [{ before: '', after: inserted }]
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function textIn(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string') return value
  }
  return undefined
}
