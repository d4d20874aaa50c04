import { fieldsOf } from '../calls/call-outcome.ts'

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

function textIn(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string') return value
  }
  return undefined
}

/** The pieces of text that a patch replaces, by the path of their file: the body of an apply_patch call, or a unified diff. */
export function patchPieces(patch: string): ReadonlyMap<string, readonly TextPiece[]> {
  const reader = new PatchReader()
  for (const line of patch.split('\n')) reader.line(line)
  return reader.end()
}

class PatchReader {
  readonly #files = new Map<string, TextPiece[]>()
  #path: string | undefined
  #isNew = false
  #before: string[] = []
  #after: string[] = []
  #old = ''

  line(line: string): void {
    const header = HEADER.exec(line)
    if (header !== null) this.#file(header[2]?.trim(), header[1] === 'Add File')
    else if (MOVE.test(line)) this.#path = line.slice(MOVE_LENGTH).trim() || this.#path
    else if (this.#isOver(line)) this.#flush()
    else if (line.startsWith('+++ ') && this.#old !== '') this.#diffFile(this.#old, line.slice(4))
    else if (line.startsWith('@@')) this.#hunk(line)
    else if (line.startsWith('+')) this.#after.push(line.slice(1))
    else if (line.startsWith('-')) this.#before.push(line.slice(1))
    else if (line.startsWith(' ') || line === '') {
      this.#before.push(line.slice(1))
      this.#after.push(line.slice(1))
    }
    // `--- x` alone may be a deleted line `-- x`: only the pair is a header.
    this.#old = line.startsWith('--- ') ? line.slice(4) : ''
  }

  end(): ReadonlyMap<string, readonly TextPiece[]> {
    this.#flush()
    return this.#files
  }

  #isOver(line: string): boolean {
    return line.startsWith('*** ') || line.startsWith('diff --git ') || line.startsWith('index ')
  }

  #diffFile(old: string, line: string): void {
    this.#before.pop()
    const [from, to] = [pathIn(old), pathIn(line)]
    const path = to === '/dev/null' ? from : to
    this.#file(/^[ab]\//.test(path) ? path.slice(2) : path, from === '/dev/null')
  }

  #file(path: string | undefined, isNew: boolean): void {
    this.#flush()
    this.#path = path
    this.#isNew = isNew
  }

  /** The text after `@@` shows the place of the hunk: the line of the function around it. */
  #hunk(line: string): void {
    this.#flush()
    const around = /^@@(?: -[\d,]{1,20} \+[\d,]{1,20} @@)?(.{0,300})/.exec(line)?.[1]?.trim() ?? ''
    if (around === '' || this.#isNew) return
    this.#before.push(around)
    this.#after.push(around)
  }

  #flush(): void {
    const [before, after] = [this.#before.join('\n'), this.#after.join('\n')]
    this.#before = []
    this.#after = []
    if (this.#path === undefined || (before.trim() === '' && after.trim() === '') || before === after) return
    const pieces = this.#files.get(this.#path) ?? []
    this.#files.set(this.#path, pieces)
    pieces.push(this.#isNew ? { after } : { before, after })
  }
}

const HEADER = /^\*\*\* (Add File|Update File|Delete File):(.{1,4096})$/
const MOVE = /^\*\*\* Move to: /
const MOVE_LENGTH = '*** Move to: '.length

function pathIn(text: string): string {
  const [path = ''] = text.split('\t', 1)
  return path.trim().replace(/^"(.*)"$/, '$1')
}
