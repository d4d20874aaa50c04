import { shellTokens, type Word } from './shell-lexer.ts'

/** The name and the arguments of a command without wrappers that run it (sudo, env, timeout 5, …). */
export function withoutWrappers(words: readonly Word[]): { name: string; rest: readonly Word[] } | undefined {
  let at = 0
  for (;;) {
    const text = words[at]?.text ?? ''
    const name = text.slice(text.lastIndexOf('/') + 1)
    const wrapper = WRAPPERS.get(name)
    if (wrapper === undefined) return name === '' ? undefined : { name, rest: words.slice(at + 1) }
    at = afterWrapper(words, at + 1, wrapper)
  }
}

type Wrapper = OptionRule & { operands?: number }

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ['sudo', { short: 'ugpCDhRrTtU', long: ['user', 'group', 'chdir'] }],
  ['doas', { short: 'uC' }],
  ['env', { short: 'uCS', long: ['unset', 'chdir'] }],
  ['time', { short: 'of' }],
  ['timeout', { short: 'sk', long: ['signal', 'kill-after'], operands: 1 }],
  ['gtimeout', { short: 'sk', long: ['signal', 'kill-after'], operands: 1 }],
  ['nohup', {}],
  ['nice', { short: 'n' }],
  ['ionice', { short: 'cn' }],
  ['stdbuf', { short: 'ioe' }],
  ['setsid', {}],
  ['command', {}],
  ['builtin', {}],
  ['exec', { short: 'a' }],
])

function afterWrapper(words: readonly Word[], start: number, wrapper: Wrapper): number {
  let at = start
  let operands = wrapper.operands ?? 0
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? ''
    if (/^-./.test(text)) at += takesNextWord(text, wrapper) ? 1 : 0
    else if (/^[A-Za-z_]\w*=/.test(text)) continue
    else if (operands-- <= 0) break
  }
  return at
}

function takesNextWord(option: string, { short, long }: OptionRule): boolean {
  if (option.startsWith('--')) return long?.includes(option.slice(2)) ?? false
  return short?.includes(option.at(-1) ?? '') ?? false
}

/** A simple command: its words without keywords and assignments, its redirections, and the heredocs fed to it. */
export type ShellCommand = {
  type: 'command'
  words: readonly Word[]
  redirects: readonly { operator: string; target: Word }[]
  heredocs: readonly string[]
}
/** The steps of a command line, in order. A folder that changes between `enter` and `leave` is restored afterwards. */
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

/** In `[[ a > b ]]` the sign is a comparison. */
function isTest(words: readonly Word[]): boolean {
  return words[0]?.text === '[[' || words.at(-1)?.text === ']]'
}

/** The options of a command that take a value: one-letter options in a row, long ones by name, without dashes. */
export type OptionRule = {
  short?: string
  long?: readonly string[]
  /** One-letter options whose value, if they have one, is the rest of the word. */
  attached?: string
}

/** The parsed arguments of a command. */
export type Arguments = {
  operands: readonly Word[]
  /** Every option that was given, with its values; a flag has none. */
  options: ReadonlyMap<string, readonly Word[]>
}

/** Parses the words after a command's name: `-ab`, `-n5`, `-n 5`, `--name=value`, `--name value` and `--`. */
export function parseArguments(words: readonly Word[], rule: OptionRule): Arguments {
  const operands: Word[] = []
  const options = new Map<string, Word[]>()
  const give = (name: string, value?: Word) => {
    const values = options.get(name) ?? []
    options.set(name, values)
    if (value !== undefined) values.push(value)
  }
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as Word
    const { text } = word
    if (text === '--') {
      for (const rest of words.slice(i + 1)) operands.push(rest)
      break
    }
    if (text.startsWith('--')) {
      const equals = text.indexOf('=')
      const name = text.slice(2, equals === -1 ? undefined : equals)
      if (equals !== -1) give(name, { ...word, text: text.slice(equals + 1) })
      else give(name, rule.long?.includes(name) ? words[++i] : undefined)
    } else if (text.startsWith('-') && text.length > 1) {
      for (let at = 1; at < text.length; at++) {
        const letter = text[at] as string
        const rest = at + 1 < text.length ? { ...word, text: text.slice(at + 1) } : undefined
        if (rule.short?.includes(letter)) give(letter, rest ?? words[++i])
        else give(letter, rule.attached?.includes(letter) ? rest : undefined)
        if (rule.short?.includes(letter) || rule.attached?.includes(letter)) break
      }
    } else operands.push(word)
  }
  return { operands, options }
}
