import type { Script, Word, WordPart } from 'unbash'
import { ANYTHING, exactText, type Hole, literal, type TextShape } from './text-shape.ts'

/** A simple command that a command line may run. */
export type ShellRun = {
  /** The name first; empty for a redirection without a command. */
  readonly words: readonly ShellWord[]
  /** The absolute folders in which it may run, the likeliest first. */
  readonly folders: readonly TextShape[]
  readonly redirects: readonly { readonly word: ShellWord; readonly writes: boolean }[]
  readonly input: ShellInput
  /** The texts of files that it names and that the same script has written. */
  readonly texts: readonly string[]
}

/** The standard input of a command, if the text shows it. */
export type ShellInput =
  | { readonly kind: 'none' | 'unknown' }
  | { readonly kind: 'text'; readonly text: string }
  /** Lines of one of these shapes. */
  | { readonly kind: 'lines'; readonly shapes: readonly TextShape[] }

export const NO_INPUT: ShellInput = { kind: 'none' }

/** All commands that a command line may run, and the parts of it that may run anything. */
export type ScriptReading = { readonly runs: readonly ShellRun[]; readonly doubts: readonly string[] }

/** Something that a command runs itself: another command, the text of a script, or code that its text does not show. */
export type LaunchTarget =
  | { readonly kind: 'run'; readonly run: ShellRun }
  | { readonly kind: 'script'; readonly text: string; readonly input?: ShellInput }
  | { readonly kind: 'doubt'; readonly text: string }

/** The name of a command without its folder; undefined if the text does not show it. */
export function nameOf({ words }: Pick<ShellRun, 'words'>): string | undefined {
  const text = words[0]?.text
  return text?.slice(text.lastIndexOf('/') + 1)
}

/** A run for each name that a command may have, if the text shows all of them. */
export function byName(run: ShellRun): ShellRun[] {
  const [first, ...rest] = run.words
  const names = first === undefined || first.isMany ? [] : first.shapes.map(exactText)
  const known = names.filter((name) => name !== undefined)
  if (known.length < 2 || known.length < names.length) return [run]
  return known.map((name) => ({ ...run, words: [{ ...textWord(name), source: first?.source ?? name }, ...rest] }))
}

/** A word of a command after the expansions of the shell, as far as its text shows them. */
export type ShellWord = {
  /** The shapes that it may have. */
  readonly shapes: readonly TextShape[]
  /** True when it may become several words, or none. */
  readonly isMany: boolean
  /** The word as written in the script. */
  readonly source: string
  /** Its only possible text. */
  readonly text: string | undefined
}

/** The facts about the script that an expansion needs. */
export type ExpansionContext = {
  readonly home: string
  readonly folder: TextShape
  /** The shapes that a variable may have. */
  readonly variable: (name: string) => readonly TextShape[]
  /** The output of a script, if its text shows it. */
  readonly output: (script: Script) => ShellInput
  /** Whether `*` may match names that begin with a dot. */
  readonly dotGlob: boolean
}

export function wordOf(shapes: readonly TextShape[], source: string, isMany = false): ShellWord {
  const [first] = shapes
  return { shapes, isMany, source, text: shapes.length === 1 && first !== undefined ? exactText(first) : undefined }
}

export function textWord(text: string): ShellWord {
  return wordOf([literal(text)], text)
}

export const UNKNOWN_WORDS: ShellWord = wordOf([ANYTHING], 'words from its input', true)

/** The words that a word of a script expands to: mostly one, several if a variable with a known text is split. */
export function expandedWords(word: Word, context: ExpansionContext): ShellWord[] {
  const shapes = shapesOf(word, context)
  const parts = word.parts ?? []
  const splits = parts.some(({ type }) => SPLITTING.has(type))
  const isMany = parts.some((part) => MANY.has(part.type) || isAllOf(part))
  const whole = wordOf(shapes, word.text)
  if (!splits || isMany) return [{ ...whole, isMany }]
  if (whole.text === undefined) return [{ ...whole, isMany: true }]
  return whole.text.split(/[ \t\n]+/).flatMap((text) => (text === '' ? [] : [{ ...textWord(text), source: word.text }]))
}

const SPLITTING: ReadonlySet<string> = new Set([
  'SimpleExpansion',
  'ParameterExpansion',
  'CommandExpansion',
  'ProcessSubstitution',
])
const MANY: ReadonlySet<string> = new Set(['Glob', 'ExtendedGlob', 'BraceExpansion'])

/** `"$@"` and `"${list[@]}"` are several words though they are quoted. */
function isAllOf(part: WordPart): boolean {
  if (part.type !== 'DoubleQuoted') return false
  return part.parts.some(
    (inner) =>
      (inner.type === 'SimpleExpansion' && inner.text === '$@') ||
      (inner.type === 'ParameterExpansion' && (inner.index?.text === '@' || inner.parameter === '@')),
  )
}

const MOST_SHAPES = 32
const MOST_PARTS = 300

/** The shapes that one word may have. With too many shapes or parts, it may be anything. Adjacent texts are one part. */
export function shapesOf(word: Word, context: ExpansionContext): readonly TextShape[] {
  const { parts } = word
  if (parts === undefined) return [withTilde(literal(word.value), word.text, context)]
  return shapesOfParts(parts, context).map((shape) => withTilde(shape, word.text, context))
}

function shapesOfParts(parts: readonly WordPart[], context: ExpansionContext): readonly TextShape[] {
  let shapes: readonly TextShape[] = [[]]
  for (const part of parts) {
    const next = partShapes(part, context)
    shapes =
      shapes.length * next.length > MOST_SHAPES
        ? [ANYTHING]
        : shapes.flatMap((shape) => next.map((more) => joined(shape, more, context)))
    if (shapes.some(({ length }) => length > MOST_PARTS)) return [ANYTHING]
  }
  return shapes
}

/** `*` at the start of a name does not match a dot. */
function joined(shape: TextShape, more: TextShape, { dotGlob }: ExpansionContext): TextShape {
  const last = shape.at(-1)
  const isStart = last === undefined || ('text' in last && last.text.endsWith('/'))
  const [first, ...rest] = more
  if (isStart && !dotGlob && first !== undefined && 'hole' in first && first.hole === 'one')
    return [...shape, { hole: 'one-not-dot' }, ...rest]
  if (last !== undefined && first !== undefined && 'text' in last && 'text' in first)
    return [...shape.slice(0, -1), { text: last.text + first.text }, ...rest]
  return [...shape, ...more]
}

function partShapes(part: WordPart, context: ExpansionContext): readonly TextShape[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [literal(part.value)]
    case 'DoubleQuoted':
    case 'LocaleString':
      return shapesOfParts(part.parts, context)
    case 'SimpleExpansion':
      return context.variable(part.text.slice(1))
    case 'ParameterExpansion':
      return parameterShapes(part, context)
    case 'CommandExpansion': {
      const output = part.script === undefined ? undefined : context.output(part.script)
      if (output?.kind === 'lines') return output.shapes
      return output?.kind === 'text' ? [literal(output.text.replace(/\n+$/, ''))] : [ANYTHING]
    }
    case 'ArithmeticExpansion':
      return hole('digits')
    case 'ProcessSubstitution':
      // Without a command inside, it expands to nothing, not even an empty word.
      return [literal(part.script?.commands.length === 0 ? '' : '/dev/fd/63')]
    case 'Glob':
      // Nothing, or one character and more. They are separate because the first one may not be a dot.
      return part.kind === 'star' ? [[], [{ hole: 'one' }, { hole: 'segment' }]] : hole('one')
    case 'BraceExpansion':
      return braceShapes(part.text)
    default:
      return hole('segment')
  }
}

function hole(kind: Hole): readonly TextShape[] {
  return [[{ hole: kind }]]
}

type Parameter = Extract<WordPart, { type: 'ParameterExpansion' }>

function parameterShapes({ parameter, prefix, index, operation }: Parameter, context: ExpansionContext) {
  if (prefix === '#') return hole('digits')
  if (prefix !== undefined || index !== undefined) return [ANYTHING]
  if (operation === undefined) return context.variable(parameter)
  if (operation.type !== 'Default' || operation.operator.endsWith('?')) return [ANYTHING]
  const operand = shapesOf(operation.operand, context)
  return operation.operator.endsWith('+') ? [[], ...operand] : [...context.variable(parameter), ...operand]
}

/** `{a,b}` without special characters inside; other braces may become anything. */
function braceShapes(text: string): readonly TextShape[] {
  const [, inside] = /^\{([^{}$`'"\\*?[\]]*,[^{}$`'"\\*?[\]]*)\}$/.exec(text) ?? []
  return inside === undefined ? [ANYTHING] : inside.split(',').map(literal)
}

/** Replaces `~` and `~/…` by the home folder, and `~+` by the current one. The home of another user may be anywhere. */
function withTilde(shape: TextShape, source: string, { home, folder }: ExpansionContext): TextShape {
  const [first, ...rest] = shape
  if (!source.startsWith('~') || first === undefined || !('text' in first)) return shape
  const [, user = '', path = ''] = /^~([^/]*)(.*)$/s.exec(first.text) ?? []
  const start = user === '' ? literal(home) : user === '+' ? folder : ANYTHING
  return [...start, ...literal(path), ...rest]
}

/** A command that breaks a rule (`yes`), or may break it (`maybe`). `source` is the part that shows this. */
export type Finding = { readonly answer: 'yes' | 'maybe'; readonly source: string }
