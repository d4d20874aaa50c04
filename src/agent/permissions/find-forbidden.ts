import { shellFiles } from '../../engine/extract/shell/shell-files.ts'
import type { Word } from '../../engine/extract/shell/shell-lexer.ts'
import { plainWords } from './command-pattern.ts'
import { inHome } from './home-rules.ts'
import type { Rule } from './rule.ts'
import type { Finding } from './shell/finding.ts'
import { forbiddenPaths } from './shell/forbidden-paths.ts'
import type { ScriptPlace } from './shell/read-script.ts'
import { runsForbidden } from './shell/runs-forbidden.ts'
import type { ScriptReading, ShellRun } from './shell/shell-run.ts'
import { canMeet, literal } from './shell/text-shape.ts'
import { usesForbidden } from './shell/uses-forbidden.ts'
import { matchesWildcard } from './wildcard.ts'

/** A command line, and what it may run. */
export type CommandLine = { readonly text: string; readonly reading: ScriptReading; readonly place: ScriptPlace }

/**
 * Whether a command line does what a never rule forbids, wherever in it; `maybe`, where its text does not say. It is the
 * first wall and not the last: a program can do anything once it runs.
 */
export function findForbidden(rule: Rule, line: CommandLine): Finding | undefined {
  const found = finder(rule, line)
  if (typeof found !== 'function') return found
  const findings = line.reading.runs.flatMap((run) => found(run) ?? [])
  const [doubt] = line.reading.doubts
  return (
    findings.find(({ answer }) => answer === 'yes') ??
    findings[0] ??
    (doubt === undefined ? undefined : { answer: 'maybe', source: doubt })
  )
}

type Finder = (run: ShellRun) => Finding | undefined

function finder({ kind, pattern }: Rule, { text, place }: CommandLine): Finder | Finding | undefined {
  if (kind === 'tool') return undefined
  if (kind !== 'command') {
    const forbidden = forbiddenPaths(pattern, place.workspace)
    const changed = kind === 'edit' ? shellFiles(text, place.workspace) : []
    const patched = changed.find(
      ({ path, access }) => access === 'modified' && forbidden.paths.some((shape) => canMeet(shape, literal(path))),
    )
    return patched === undefined
      ? (run) => usesForbidden(forbidden, run, kind, place)
      : { answer: 'yes', source: patched.path }
  }
  // Each word is read as a shell reads it: `~` and `$HOME` at its start are the home folder.
  const words: readonly Word[] | undefined = plainWords(
    pattern.replace(/(?<!\S)\S+/g, (word) => inHome(word, place.home)),
  )
  if (words !== undefined) return (run) => runsForbidden(words, run, place)
  // A pattern of a compound command is compared with the whole line.
  return matchesWildcard(pattern.trim(), text.trim()) ? { answer: 'yes', source: text } : undefined
}
