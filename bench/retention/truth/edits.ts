import { exactNames } from '../../../src/eval/truth/names.ts'
import type { ToolStep } from '../../../src/eval/truth/steps.ts'
import { editedBy, namedStrings } from '../../../src/eval/truth/tools.ts'

/** The lines and names that one edit changed. A record describes it if it shows one of the lines, or one of the names near the file's. */
export type Edit = { readonly path: string; readonly lines: readonly string[]; readonly names: readonly string[] }

/** The last successful edits that can be recognised by a line or a name; one patch may edit several files. */
export function lastEdits(steps: readonly ToolStep[], most = 10): Edit[] {
  return steps
    .filter(({ outcome }) => outcome !== 'failed')
    .flatMap(changesOf)
    .map(editOf)
    .filter(({ lines, names }) => lines.length + names.length > 0)
    .slice(-most)
}

type Change = { readonly path: string; readonly added: readonly string[]; readonly removed: readonly string[] }

function changesOf(step: ToolStep): Change[] {
  const patch = patchIn(step.input)
  if (patch !== undefined) return patchedFiles(patch)
  const [path] = editedBy(step)
  if (path === undefined) return []
  return replacementsIn(step.input).map(({ before, after }) => {
    const [old, fresh] = [linesOf(before), linesOf(after)]
    return { path, added: without(fresh, old), removed: without(old, fresh) }
  })
}

/** Codex gives a patch to its own tool or to the shell. */
function patchIn(input: unknown): string | undefined {
  const texts =
    typeof input === 'string' ? [input] : namedStrings(input, ['input', 'patch', 'patchText', 'command', 'cmd'])
  return texts.find((text) => text.includes('*** Begin Patch'))
}

function patchedFiles(patch: string): Change[] {
  return patch
    .split(/^\*\*\* (?:Update|Add) File: /m)
    .slice(1)
    .map((part) => {
      const [path = '', ...lines] = part.split('\n')
      const marked = (mark: string) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1).trim())
      const [added, removed] = [marked('+'), marked('-')]
      return { path: path.trim(), added: without(added, removed), removed: without(removed, added) }
    })
}

type Replacement = { readonly before: string; readonly after: string }

/** Pairs of texts by the names that agents give them; a tool may take a list of them. */
function replacementsIn(input: unknown): Replacement[] {
  if (Array.isArray(input)) return input.flatMap(replacementsIn)
  if (typeof input !== 'object' || input === null) return []
  const after = namedStrings(input, [
    'new_string',
    'newString',
    'newText',
    'new_str',
    'content',
    'file_text',
    'replace',
  ])[0]
  const before = namedStrings(input, ['old_string', 'oldString', 'oldText', 'old_str', 'search'])[0] ?? ''
  return after === undefined ? Object.values(input).flatMap(replacementsIn) : [{ before, after }]
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim())
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return lines.filter((line) => line !== '' && !known.has(line))
}

function editOf({ path, added, removed }: Change): Edit {
  const changed = [...added, ...removed]
  const text = changed.join('\n')
  // Any name of a long piece would match too easily: only the names that it defines count.
  const used = changed.length > FEW_LINES ? [] : differing(added.join('\n'), removed.join('\n'))
  const names = new Set([...definedIn(text), ...used])
  return { path, lines: changed.filter((line) => line.length >= LEAST_CHARACTERS), names: [...names] }
}

const FEW_LINES = 8
/** A shorter line, such as `if err != nil {`, is in many files. */
const LEAST_CHARACTERS = 20

function differing(added: string, removed: string): string[] {
  const [fresh, gone] = [exactNames('identifier', added), exactNames('identifier', removed)]
  return [...without(fresh, gone), ...without(gone, fresh)]
}

function definedIn(text: string): string[] {
  const found = text.matchAll(
    /\b(?:function|class|interface|type|const|let|var|def|func|fn|struct|enum|trait)\s+(?:\([^)\n]*\)\s*)?([A-Za-z_$][\w$]{3,})/g,
  )
  return [...found].map((match) => match[1] ?? '')
}
