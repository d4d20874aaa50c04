import type { Word } from '../../engine/facts/shell/shell-lexer.ts'
import { shellSteps } from '../../engine/facts/shell/shell-steps.ts'
import { withoutWrappers } from '../../engine/facts/shell/shell-wrappers.ts'
import { matchesWords, plainWords } from './command-pattern.ts'
import { matchesWildcard } from './wildcard.ts'

/**
 * Whether a command line runs what a pattern forbids, wherever in it: `yes`; or `maybe`, where its text does not say
 * (it stands in a text, behind another command or a variable). No fence: a script can hide anything.
 */
export function forbidsCommand(pattern: string, command: string): 'yes' | 'maybe' | 'no' {
  const forbidden = plainWords(pattern)
  // A pattern of a compound command is compared with the whole line.
  if (forbidden === undefined) return matchesWildcard(pattern.trim(), command.trim()) ? 'yes' : 'no'
  const commands = commandsIn(command)
  if (commands.some((words) => matchesWords(forbidden, words))) return 'yes'
  if (commands.some(([name]) => name?.open)) return 'maybe'
  const pieces = [...commands, ...commandsIn(command.replace(QUOTES, '\n'))]
  return pieces.some((words) => words.some((_, start) => mayMatch(forbidden, words, start))) ? 'maybe' : 'no'
}

/** Behind these another command may begin that our reading of the line takes for a text. */
const QUOTES = /[`'"(){}\\]|\$\(/g

/** The simple commands of a line, without what runs them (`sudo`, `env X=1`, `timeout 5`). */
function commandsIn(command: string): (readonly Word[])[] {
  return shellSteps(command).flatMap((step) => {
    if (step.type !== 'command') return []
    const found = withoutWrappers(step.words)
    const name = step.words[step.words.length - 1 - (found?.rest.length ?? 0)]
    return found === undefined || name === undefined ? [] : [[{ ...name, text: found.name }, ...found.rest]]
  })
}

/** Whether what is forbidden may begin at this word: one that the shell makes something of may become anything. */
function mayMatch(forbidden: readonly Word[], words: readonly Word[], start: number): boolean {
  const [first, ...others] = forbidden
  const word = words[start]
  const name = word?.text.slice(word.text.lastIndexOf('/') + 1)
  if (word === undefined || word.open || first === undefined || (!first.open && first.text !== name)) return false
  const rest = words.slice(start + 1)
  const open = rest.findIndex((word) => word.open)
  if (open === -1) return matchesWords(others, rest)
  return others.slice(0, open).every((part, i) => part.open || part.text === rest[i]?.text)
}
