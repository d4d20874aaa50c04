import { foundFolders, foundShapes } from './known-output.ts'
import { type LaunchTarget, NO_INPUT, type ShellInput, type ShellRun } from './shell-run.ts'
import { type ShellWord, textWord, UNKNOWN_WORDS, wordOf } from './shell-word.ts'
import { ANYTHING, type TextShape } from './text-shape.ts'

const XARGS_VALUES = 'ILnPsdaE'

/** The command behind `xargs`, with the words that it gets: all at once, or one by one. */
export function xargsRuns(run: ShellRun, words: readonly ShellWord[]): LaunchTarget[] {
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

/** `parallel git ::: push pull`; without words of its own it takes those of its input, as xargs does. */
export function parallelRuns(run: ShellRun, words: readonly ShellWord[]): LaunchTarget[] {
  const at = words.findIndex(({ text }) => text?.startsWith(':::'))
  if (at === -1) return xargsRuns(run, words)
  const start = words.findIndex(({ text }) => !text?.startsWith('-'))
  const command = words.slice(start, at)
  // Behind `::::` stand files: what is in them is not known.
  const namesFiles = words.some(({ text }) => text?.startsWith('::::'))
  const given = namesFiles ? [UNKNOWN_WORDS] : words.slice(at + 1).filter(({ text }) => !text?.startsWith(':::'))
  const isLong = given.length > MOST_WORDS || given.length * command.length > MOST_PIECES
  const each = isLong ? [wordOf(shapesIn(given), 'its many words')] : given
  return each.map((word) => ({
    kind: 'run',
    run: { ...run, words: [...replaced(command, '{}', word.shapes), word], input: NO_INPUT },
  }))
}

/** The commands behind `-exec` and its like, and the removal of what was found. */
export function foundRuns(run: ShellRun, words: readonly ShellWord[]): LaunchTarget[] {
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
    // The words up to there belong to that command. One that is not known may have ended it before.
    if (command.every(({ text }) => text !== undefined)) at = end
  }
  return targets
}

/** The command of `-exec` ends with `;`, and with a `+` that stands behind `{}`. */
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

/** The words with these shapes in the place of a mark such as `{}`. */
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
