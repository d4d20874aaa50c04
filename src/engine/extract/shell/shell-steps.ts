import { shellTokens, type Word } from './shell-lexer.ts'

/** A simple command: its words without keywords and assignments, its redirections, and the heredocs fed to it. */
export type ShellCommand = {
  type: 'command'
  words: readonly Word[]
  redirects: readonly { operator: string; target: Word }[]
  heredocs: readonly string[]
}
/** What a command line does, in order; a folder changed between `enter` and `leave` is changed back. */
export type ShellStep = ShellCommand | { type: 'enter' } | { type: 'leave' }

/** The simple commands of a command line and the subshells around them. */
export function shellSteps(command: string): readonly ShellStep[] {
  const steps: ShellStep[] = []
  let words: Word[] = []
  let redirects: { operator: string; target: Word }[] = []
  let heredocs: string[] = []
  let redirect: string | undefined
  const flush = () => {
    if (words.length > 0 || redirects.length > 0) {
      const command = withoutKeywords(words)
      steps.push({ type: 'command', words: command, redirects: isTest(command) ? [] : redirects, heredocs })
    }
    words = []
    redirects = []
    heredocs = []
    redirect = undefined
  }
  for (const token of shellTokens(command)) {
    if (token.type === 'heredoc') heredocs.push(token.body)
    else if (token.type === 'redirect') redirect = token.text
    else if (token.type === 'operator') {
      flush()
      if (token.text === '(') steps.push({ type: 'enter' })
      if (token.text === ')') steps.push({ type: 'leave' })
    } else if (redirect !== undefined) {
      redirects.push({ operator: redirect, target: token })
      redirect = undefined
    } else words.push(token)
  }
  flush()
  return steps
}

const KEYWORDS: ReadonlySet<string> = new Set(['if', 'then', 'elif', 'else', 'do', 'while', 'until', '!', '{', '}'])
/** These begin a list of words, not a command. */
const HEADS: ReadonlySet<string> = new Set(['for', 'select', 'case', 'function'])
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]{0,100}\])?\+?=/

function withoutKeywords(words: readonly Word[]): readonly Word[] {
  let start = 0
  while (KEYWORDS.has(words[start]?.text ?? '')) start++
  if (HEADS.has(words[start]?.text ?? '')) return []
  while (ASSIGNMENT.test(words[start]?.text ?? '')) start++
  return words.slice(start)
}

/** In `[[ a > b ]]` the sign compares. */
function isTest(words: readonly Word[]): boolean {
  return words[0]?.text === '[[' || words.at(-1)?.text === ']]'
}
