import { type ShellStep, withoutWrappers } from '../shell/shell-steps.ts'
import { isSamePath } from './paths.ts'
import type { ToolFact } from './tool-facts.ts'

/**
 * The facts of a command without those that its output contradicts: a `cat` that failed has read nothing, an `rm` that
 * failed has deleted nothing. A failed command may still have written part of a file.
 */
export function effectiveFacts(
  facts: readonly ToolFact[],
  ok: boolean | undefined,
  output: string,
  /** The steps of the command. */
  steps: readonly ShellStep[],
): readonly ToolFact[] {
  if (!facts.some(isShellFile)) return facts
  const refused = refusedPaths(output)
  const named = facts.filter((fact) => isRefused(fact, refused))
  if (named.length > 0) return facts.filter((fact) => !named.includes(fact))
  return ok === false && isSingle(steps) ? facts.filter((fact) => !isShellFile(fact) || isWritten(fact)) : facts
}

function isShellFile(fact: ToolFact): boolean {
  return (fact.kind === 'read' || fact.kind === 'modified') && fact.via === 'shell'
}

function isWritten(fact: ToolFact): boolean {
  return fact.kind === 'modified' && fact.change === undefined && fact.from === undefined
}

function isRefused(fact: ToolFact, refused: readonly string[]): boolean {
  if ((fact.kind !== 'read' && fact.kind !== 'modified') || fact.via !== 'shell') return false
  const ends = fact.kind === 'read' ? [fact.path] : [fact.path, fact.from]
  return refused.some((path) => ends.some((end) => end !== undefined && isSamePath(path, end)))
}

/** A single command that failed has done nothing. But for a search or a comparison the exit status is the answer. */
function isSingle(steps: readonly ShellStep[]): boolean {
  const [only, ...others] = steps.filter((step) => step.type === 'command')
  const name = only === undefined ? undefined : withoutWrappers(only.words)?.name
  return others.length === 0 && name !== undefined && !ANSWERS.has(name)
}

const ANSWERS: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'diff', 'cmp'])

const REFUSAL =
  /no such file or directory|permission denied|is a directory|not a directory|cannot (?:access|open|stat|remove|move|find)|can't (?:open|read)|did not match any file|does not exist|no matches found/i
/** A plain search for these is many times faster than the pattern, and most outputs contain none of them. */
const SIGNS = ['o such file', 'enied', 'a directory', 'annot ', "an't ", 'not match', 'not exist', 'o matches']
const LOOKED_AT = 20_000

/** The words of lines in which a command reports a file that it did not find or may not use. */
function refusedPaths(output: string): string[] {
  const text = output.slice(0, LOOKED_AT)
  if (!SIGNS.some((sign) => text.includes(sign))) return []
  return text
    .split('\n')
    .filter((line) => line.length < 1_000 && REFUSAL.test(line))
    .flatMap((line) => line.match(/[^\s'"`‘’:,()]+/g) ?? [])
    .map((word) => word.replace(/^\.\//, ''))
}
