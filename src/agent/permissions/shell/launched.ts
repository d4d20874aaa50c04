import { withoutWrappers } from '../../../engine/extract/shell/shell-steps.ts'
import { INTERPRETERS, SHELLS } from './command-kinds.ts'
import { gitRuns, setsCommand } from './git-runs.ts'
import { foundFolders, foundShapes } from './known-output.ts'
import { enteredFolders, maybeEntered } from './reading-limits.ts'
import {
  type LaunchTarget,
  NO_INPUT,
  nameOf,
  type ShellInput,
  type ShellRun,
  type ShellWord,
  textWord,
  UNKNOWN_WORDS,
  wordOf,
} from './shell-word.ts'
import { ANYTHING, literal, type TextShape } from './text-shape.ts'

export type LaunchContext = {
  readonly alias: (name: string) => string | undefined
  /** The text of a file that the same script has written. */
  readonly written: (file: ShellWord) => string | undefined
}

/** The commands that a command runs itself, by its name. Commands that are not known here are searched for forbidden names. */
export function launched(run: ShellRun, context: LaunchContext): LaunchTarget[] {
  const name = nameOf(run)
  const [first, ...rest] = run.words
  if (name === undefined || first === undefined) return []
  const alias = context.alias(name)
  // An alias may name the command that it replaces: `alias ls='ls -l'`.
  if (alias !== undefined && alias.split(/\s/, 1)[0] !== name)
    return [script([alias, ...rest.map(({ source }) => source)])]
  if (name === 'command' && /^-[vV]/.test(rest[0]?.text ?? '')) return []
  if (SHELLS.has(name)) return shellScripts(run, rest)
  switch (name) {
    case 'eval':
      return evaluated(rest)
    case 'trap':
      return evaluated(rest.slice(0, 1))
    case 'source':
    case '.':
      return fileScript(run, rest)
    case 'xargs':
      return xargsRuns(run, rest)
    case 'parallel':
      return parallelRuns(run, rest)
    case 'find':
      return foundRuns(run, rest)
    case 'git':
      return gitRuns(run, rest)
    default:
      return [...wrapped(run), ...ownFile(first, context), ...openCode(name, run, rest)]
  }
}

function script(words: readonly string[]): LaunchTarget {
  return { kind: 'script', text: words.join(' ') }
}

/** The command after `sudo`, `env X=1`, `timeout 5` and similar wrappers. */
function wrapped(run: ShellRun): LaunchTarget[] {
  const plain = run.words.map(({ text, source }) => ({
    type: 'word' as const,
    text: text ?? source,
    open: text === undefined,
  }))
  const found = withoutWrappers(plain)
  if (found === undefined || found.rest.length + 1 === run.words.length) return []
  const start = run.words.length - found.rest.length - 1
  const wrapper = run.words.slice(0, start)
  const folders = foldersAfter(run, wrapper)
  return [{ kind: 'run', run: { ...run, folders, words: run.words.slice(start) } }, ...wrapper.flatMap(givenSetting)]
}

/** `env GIT_CONFIG_KEY_0=NAME` */
function givenSetting({ text, source }: ShellWord): LaunchTarget[] {
  const [, variable, value = ''] = /^(GIT_CONFIG_\w+)=(.*)$/s.exec(text ?? '') ?? []
  return variable !== undefined && setsCommand(variable, value, source) ? [{ kind: 'doubt', text: source }] : []
}

/** `env -iC FOLDER` and `sudo --chdir=FOLDER` run the command in another folder. If there are several options, any may count. */
function foldersAfter({ folders }: ShellRun, wrapper: readonly ShellWord[]): readonly TextShape[] {
  const named = wrapper.flatMap(({ text }, at): readonly (readonly TextShape[])[] => {
    const [isGiven, folder] = ENTERS.exec(text ?? '') ?? []
    if (isGiven === undefined) return []
    return [folder === undefined || folder === '' ? (wrapper[at + 1]?.shapes ?? []) : [literal(folder)]]
  })
  const [only, ...others] = named
  if (only !== undefined && others.length === 0) return enteredFolders(folders, only)
  return named.length > MOST_ENTERED ? [ANYTHING, ...folders] : named.reduce(maybeEntered, folders)
}

/** The option with which `env` and `sudo` enter a folder, after flags that take no value. */
const ENTERS = /^(?:-[i0v]*C|-[ABbEHKklnPSsVv]*D|--chdir(?:=|$))(.*)$/s

/** A command that enters more folders is not followed, because the paths would grow with each of them. */
const MOST_ENTERED = 4

function ownFile(name: ShellWord, { written }: LaunchContext): LaunchTarget[] {
  const text = name.text?.includes('/') ? written(name) : undefined
  return text === undefined ? [] : [{ kind: 'script', text }]
}

/** Code for an interpreter that the text does not show: after `-c` or `-e`, or on the standard input. */
function openCode(name: string, { input }: ShellRun, words: readonly ShellWord[]): LaunchTarget[] {
  if (!INTERPRETERS.test(name)) return []
  const at = words.findIndex(({ text }) => /^(?:-[a-zA-Z]*[ecrp]|--eval|--print|eval)$/.test(text ?? ''))
  const code = at === -1 ? undefined : words[at + 1]
  if (code !== undefined) return code.text === undefined ? [{ kind: 'doubt', text: code.source }] : []
  const hasFile = words.some(({ text }) => text === undefined || !text.startsWith('-'))
  return hasFile || input.kind !== 'unknown' ? [] : [{ kind: 'doubt', text: `| ${name}` }]
}

function evaluated(words: readonly ShellWord[]): LaunchTarget[] {
  const open = words.find(({ text }) => text === undefined)
  return open === undefined ? [script(words.map(({ text }) => text ?? ''))] : [{ kind: 'doubt', text: open.source }]
}

/** The script of a shell: after `-c`, in a file, or on the standard input. */
function shellScripts(run: ShellRun, written: readonly ShellWord[]): LaunchTarget[] {
  const { words, begins } = withoutLongOptions(written)
  return [...begins.flatMap((file) => fileScript(run, [file])), ...scriptsAfter(run, words)]
}

const LONG_OPTION = /^--?(?:login|norc|noprofile|noediting|posix|restricted|verbose|debugger)$/
/** The next word is a file that runs before all others. */
const BEGINS_WITH = /^--?(?:rcfile|init-file)$/
/** `-o pipefail`: the next word is not a file. */
const NAMES_OPTION = /^[-+][a-zA-Z]*[oO]$/

/** A shell also accepts its long options with one hyphen: `-norc` does not contain `-c`. */
function withoutLongOptions(words: readonly ShellWord[]) {
  const flags: ShellWord[] = []
  const begins: ShellWord[] = []
  let at = 0
  for (; at < words.length; at++) {
    const [word, next] = words.slice(at, at + 2)
    const isValue = NAMES_OPTION.test(flags.at(-1)?.text ?? '')
    if (word === undefined || (!isValue && !/^[-+]/.test(word.text ?? ''))) break
    if (!isValue && BEGINS_WITH.test(word.text ?? '') && next !== undefined) {
      begins.push(next)
      at++
    } else if (isValue || !LONG_OPTION.test(word.text ?? '')) flags.push(word)
  }
  return { words: [...flags, ...words.slice(at)], begins }
}

function scriptsAfter(run: ShellRun, words: readonly ShellWord[]): LaunchTarget[] {
  const isFlag = ({ text }: ShellWord) => text !== undefined && /^[-+]/.test(text)
  const at = words.findIndex(({ text }) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(text ?? ''))
  if (at !== -1)
    return evaluated(
      words
        .slice(at + 1)
        .filter((word) => !isFlag(word))
        .slice(0, 1),
    )
  if (words.some(({ text }) => text === '--version' || text === '--help') || onlyChecks(words)) return []
  const file = words.findIndex((word, i) => !isFlag(word) && !NAMES_OPTION.test(words[i - 1]?.text ?? ''))
  const fromInput = file === -1 || words.some(({ text }) => /^-[a-zA-Z]*s$/.test(text ?? ''))
  return fromInput ? inputScript(run) : fileScript(run, words.slice(file))
}

/** `bash -n file` only checks the syntax, unless `+n` revokes that. `-login` and `-norc` do not match, because they have other letters. */
export function onlyChecks(words: readonly ShellWord[]): boolean {
  const end = words.findIndex(({ text }) => !/^[-+]/.test(text ?? ''))
  const flags = words.slice(0, end === -1 ? words.length : end).map(({ text }) => text ?? '')
  const checks = flags.some((text) => /^-[abefhkmptuvx]*n[abefhkmnptuvx]*$/.test(text))
  return checks && !flags.some((text) => text.startsWith('+'))
}

/** A script in a file is run as if its path were the command. */
function fileScript(run: ShellRun, [file, ...rest]: readonly ShellWord[]): LaunchTarget[] {
  if (file === undefined) return []
  const { text } = file
  if (/^(?:-|\/dev\/stdin|\/dev\/fd\/0)$/.test(text ?? '')) return inputScript(run)
  if (text === undefined || text.startsWith('/dev/fd/')) return [{ kind: 'doubt', text: file.source }]
  const command = text.includes('/') ? file : { ...textWord(`./${text}`), source: file.source }
  return [{ kind: 'run', run: { ...run, words: [command, ...rest] } }]
}

function inputScript({ input, words }: ShellRun): LaunchTarget[] {
  return [
    input.kind === 'text' ? { kind: 'script', text: input.text } : { kind: 'doubt', text: `| ${words[0]?.source}` },
  ]
}

const XARGS_VALUES = 'ILnPsdaE'

/** The command of `xargs`, with the words that it gets: all at once, or one by one. */
function xargsRuns(run: ShellRun, words: readonly ShellWord[]): LaunchTarget[] {
  let at = 0
  let mark: string | undefined
  let isOneByOne = false
  for (; words[at]?.text?.startsWith('-'); at++) {
    const text = words[at]?.text ?? ''
    const takesNext = text.length === 2 && XARGS_VALUES.includes(text[1] ?? '')
    if (/^-I|^--replace|^-i/.test(text))
      mark = takesNext ? words[at + 1]?.text : text.replace(/^-[Ii]|^--replace=?/, '') || '{}'
    isOneByOne ||= /^-[InLPi]|^--(?:max-(?:args|lines|procs)|replace)/.test(text)
    if (takesNext || /^--(?:arg-file|delimiter|max-args|max-lines|max-procs|max-chars|eof)$/.test(text)) at++
  }
  const command = words.slice(at)
  const known = givenWords(run.input)
  const given = command.length * known.length > MOST_PIECES ? [UNKNOWN_WORDS] : known
  const batches = isOneByOne && !given.some(({ isMany }) => isMany) ? given.map((word) => [word]) : [given]
  return batches.map((batch) => ({
    kind: 'run',
    run: {
      ...run,
      words: mark === undefined ? [...command, ...batch] : replaced(command, mark, shapesIn(batch)),
      input: NO_INPUT,
    },
  }))
}

/** `parallel git ::: push pull`. Without `:::` it takes the words of its input, as xargs does. */
function parallelRuns(run: ShellRun, words: readonly ShellWord[]): LaunchTarget[] {
  const at = words.findIndex(({ text }) => text?.startsWith(':::'))
  if (at === -1) return xargsRuns(run, words)
  const start = words.findIndex(({ text }) => !text?.startsWith('-'))
  const command = words.slice(start, at)
  // The words after `::::` are files whose content is not known.
  const namesFiles = words.some(({ text }) => text?.startsWith('::::'))
  const given = namesFiles ? [UNKNOWN_WORDS] : words.slice(at + 1).filter(({ text }) => !text?.startsWith(':::'))
  const isLong = given.length > MOST_WORDS || given.length * command.length > MOST_PIECES
  const each = isLong ? [wordOf(shapesIn(given), 'its many words')] : given
  return each.map((word) => ({
    kind: 'run',
    run: { ...run, words: [...replaced(command, '{}', word.shapes), word], input: NO_INPUT },
  }))
}

/** The commands of `-exec` and similar options, and the removal of found files. */
function foundRuns(run: ShellRun, words: readonly ShellWord[]): LaunchTarget[] {
  const shapes = foundShapes(run)
  const targets: LaunchTarget[] = []
  if (words.some(({ text }) => text === '-delete'))
    targets.push({ kind: 'run', run: { ...run, words: [textWord('unlink'), wordOf(shapes, '-delete')] } })
  for (let at = 0; at < words.length; at++) {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(words[at]?.text ?? '')) continue
    const end = endOfCommand(words, at + 1)
    const command = words.slice(at + 1, end)
    const folders = words[at]?.text?.endsWith('dir') === true ? [...run.folders, ...foundFolders(run)] : run.folders
    targets.push({ kind: 'run', run: { ...run, folders, words: replaced(command, '{}', shapes), input: NO_INPUT } })
    if (targets.length > MOST_WORDS) return [...targets, { kind: 'doubt', text: 'its many commands' }]
    // The words up to the end belong to this command. An unknown word may have ended it earlier.
    if (command.every(({ text }) => text !== undefined)) at = end
  }
  return targets
}

/** The command of `-exec` ends with `;`, or with a `+` directly after `{}`. */
function endOfCommand(words: readonly ShellWord[], start: number): number {
  const end = words.findIndex(
    ({ text }, at) => at >= start && (text === ';' || (text === '+' && words[at - 1]?.text === '{}')),
  )
  return end === -1 ? words.length : end
}

const MOST_WORDS = 50

function givenWords(input: ShellInput): readonly ShellWord[] {
  if (input.kind === 'lines') return [wordOf(input.shapes, 'words from its input', true)]
  if (input.kind !== 'text') return [UNKNOWN_WORDS]
  const words = input.text.split(/\s+/).filter((text) => text !== '')
  return words.length > MOST_WORDS ? [UNKNOWN_WORDS] : words.map(textWord)
}

function shapesIn(words: readonly ShellWord[]): readonly TextShape[] {
  return words.flatMap(({ shapes }) => shapes)
}

const MOST_PIECES = 1_000

/** The words with these shapes instead of a mark such as `{}`. */
function replaced(words: readonly ShellWord[], mark: string, shapes: readonly TextShape[]): ShellWord[] {
  return words.map((word) => {
    if (mark === '' || !word.text?.includes(mark)) return word
    const pieces = word.text.split(mark)
    if (pieces.length * shapes.length > MOST_PIECES) return wordOf([ANYTHING], word.source)
    const filled = shapes.map((shape) => pieces.flatMap((text, i) => [...(i === 0 ? [] : shape), { text }]))
    return wordOf(filled.map(withoutEmpty), word.source)
  })
}

function withoutEmpty(shape: TextShape): TextShape {
  return shape.filter((part) => !('text' in part) || part.text !== '')
}
