import { withoutWrappers } from '../../../engine/facts/shell/shell-wrappers.ts'
import { foundRuns, parallelRuns, xargsRuns } from './fed-runs.ts'
import { type LaunchTarget, nameOf, type ShellRun } from './shell-run.ts'
import type { ShellWord } from './shell-word.ts'

export type LaunchContext = {
  readonly alias: (name: string) => string | undefined
  /** The text of a file that the same script has written. */
  readonly written: (file: ShellWord) => string | undefined
}

/** What a command runs itself, by its name. Commands that are not known here are looked through for what a rule forbids. */
export function launched(run: ShellRun, context: LaunchContext): LaunchTarget[] {
  const name = nameOf(run)
  const [first, ...rest] = run.words
  if (name === undefined || first === undefined) return []
  const alias = context.alias(name)
  // An alias may name the command that it replaces: `alias ls='ls -l'`.
  if (alias !== undefined && alias.split(/\s/, 1)[0] !== name)
    return [script([alias, ...rest.map(({ source }) => source)])]
  if (name === 'command' && /^-[vV]/.test(rest[0]?.text ?? '')) return []
  if (SHELLS.has(name)) return shellScripts(run, rest, context)
  switch (name) {
    case 'eval':
      return evaluated(rest)
    case 'trap':
      return evaluated(rest.slice(0, 1))
    case 'source':
    case '.':
      return fileScript(run, rest[0], context)
    case 'xargs':
      return xargsRuns(run, rest)
    case 'parallel':
      return parallelRuns(run, rest)
    case 'find':
      return foundRuns(run, rest)
    case 'git':
      return gitAliases(rest)
    default:
      return [...wrapped(run), ...ownFile(first, context), ...openCode(name, run, rest)]
  }
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish'])

function script(words: readonly string[]): LaunchTarget {
  return { kind: 'script', text: words.join(' ') }
}

/** Behind `sudo`, `env X=1`, `timeout 5` and their like. */
function wrapped(run: ShellRun): LaunchTarget[] {
  const plain = run.words.map(({ text, source }) => ({
    type: 'word' as const,
    text: text ?? source,
    open: text === undefined,
  }))
  const found = withoutWrappers(plain)
  if (found === undefined || found.rest.length + 1 === run.words.length) return []
  return [{ kind: 'run', run: { ...run, words: run.words.slice(run.words.length - found.rest.length - 1) } }]
}

function ownFile(name: ShellWord, { written }: LaunchContext): LaunchTarget[] {
  const text = name.text?.includes('/') ? written(name) : undefined
  return text === undefined ? [] : [{ kind: 'script', text }]
}

/** Code for an interpreter that the text does not say: behind `-c` or `-e`, or on the standard input. */
function openCode(name: string, { input }: ShellRun, words: readonly ShellWord[]): LaunchTarget[] {
  if (!INTERPRETERS.test(name)) return []
  const at = words.findIndex(({ text }) => /^(?:-[a-zA-Z]*[ecrp]|--eval|--print|eval)$/.test(text ?? ''))
  const code = at === -1 ? undefined : words[at + 1]
  if (code !== undefined) return code.text === undefined ? [{ kind: 'doubt', text: code.source }] : []
  const hasFile = words.some(({ text }) => text === undefined || !text.startsWith('-'))
  return hasFile || input.kind !== 'unknown' ? [] : [{ kind: 'doubt', text: `| ${name}` }]
}

const INTERPRETERS = /^(?:python[\d.]*|pypy\d*|node|nodejs|deno|bun|ruby|perl|php|lua|osascript|tclsh|Rscript|julia)$/

function evaluated(words: readonly ShellWord[]): LaunchTarget[] {
  const open = words.find(({ text }) => text === undefined)
  return open === undefined ? [script(words.map(({ text }) => text ?? ''))] : [{ kind: 'doubt', text: open.source }]
}

/** The script behind `-c`, in a file that was written before, or on the standard input. */
function shellScripts(run: ShellRun, words: readonly ShellWord[], context: LaunchContext): LaunchTarget[] {
  const isFlag = ({ text }: ShellWord) => text !== undefined && /^[-+]/.test(text)
  const at = words.findIndex(({ text }) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(text ?? ''))
  if (at !== -1)
    return evaluated(
      words
        .slice(at + 1)
        .filter((word) => !isFlag(word))
        .slice(0, 1),
    )
  if (words.some(({ text }) => text === '--version' || text === '--help')) return []
  // `-o pipefail`: the word behind is no file.
  const file = words.find((word, i) => !isFlag(word) && !/^[-+][a-zA-Z]*[oO]$/.test(words[i - 1]?.text ?? ''))
  const fromInput = file === undefined || words.some(({ text }) => /^-[a-zA-Z]*s$/.test(text ?? ''))
  return fromInput ? inputScript(run) : fileScript(run, file, context)
}

function fileScript(run: ShellRun, file: ShellWord | undefined, { written }: LaunchContext): LaunchTarget[] {
  if (file === undefined) return []
  if (/^(?:-|\/dev\/stdin|\/dev\/fd\/0)$/.test(file.text ?? '')) return inputScript(run)
  if (file.text === undefined || file.text.startsWith('/dev/fd/')) return [{ kind: 'doubt', text: file.source }]
  const text = written(file)
  return text === undefined ? [] : [{ kind: 'script', text }]
}

function inputScript({ input, words }: ShellRun): LaunchTarget[] {
  return [
    input.kind === 'text' ? { kind: 'script', text: input.text } : { kind: 'doubt', text: `| ${words[0]?.source}` },
  ]
}

/** What an alias of git stands for (`git -c alias.p=push p`, `git config alias.p push`), and settings that may be commands. */
function gitAliases(words: readonly ShellWord[]): LaunchTarget[] {
  return words.flatMap(({ text }, at): LaunchTarget[] => {
    const [isAlias, attached] = /^alias\.[^=\s]+(?:=(.*))?$/s.exec(text ?? '') ?? []
    const value = attached ?? (isAlias === undefined ? undefined : words[at + 1]?.text)
    const [, setting] = COMMAND_SETTING.exec((words[at - 1]?.text === '-c' && text) || '') ?? []
    if (value === undefined) return setting === undefined ? [] : [{ kind: 'script', text: setting.replace(/^!/, '') }]
    return [{ kind: 'script', text: value.startsWith('!') ? value.slice(1) : `git ${value}` }]
  })
}

const COMMAND_SETTING =
  /^(?:core\.(?:editor|pager|sshcommand|askpass|fsmonitor)|pager\.\w+|sequence\.editor|diff\.external|[^=]+\.(?:textconv|command|cmd|helper|clean|smudge|process|driver))=(.+)$/is
