import { forEachChild, type SyntaxNode } from 'unbash'
import { RUNS_NOTHING } from './command-kinds.ts'
import { nameOf, type ShellRun, type ShellWord } from './shell-word.ts'
import { ANYTHING, pathShape, type TextShape } from './text-shape.ts'

const MOST_FOLDERS = 16
const LONGEST_FOLDER = 500

/** The folders in which a command may be after it has entered one of these targets from one of these folders. With too many folders, or too long a path, it may be anywhere. */
export function enteredFolders(folders: readonly TextShape[], targets: readonly TextShape[]): readonly TextShape[] {
  if (folders.length * targets.length > MOST_FOLDERS) return [ANYTHING, ...folders.slice(-MOST_FOLDERS / 2)]
  return folders.flatMap((folder) =>
    targets.map((target) => {
      const entered = pathShape(folder, target)
      return effortOfShapes([entered]) > LONGEST_FOLDER ? ANYTHING : entered
    }),
  )
}

/** The same if the command may also stay in its folder: a `cd` may fail, and of several options only the last counts. */
export function maybeEntered(folders: readonly TextShape[], targets: readonly TextShape[]): readonly TextShape[] {
  const all = [...enteredFolders(folders, targets), ...folders]
  return all.length > MOST_FOLDERS ? [ANYTHING, ...folders.slice(-MOST_FOLDERS / 2)] : all
}

/** The doubt about a command line that is not read to its end: the rest may be forbidden. */
export const TOO_TANGLED = 'too many commands or words in one line'

/** Limits the work for one command line: nested commands repeat the same words many times. */
export class ReadingEffort {
  #left = 2_000_000

  /** Throws a RangeError, as a full stack does, once the line has taken too much. */
  spend(amount: number): void {
    this.#left -= amount
    if (this.#left < 0) throw new RangeError(TOO_TANGLED)
  }
}

const EACH_WORD = 50
const EACH_CHARACTER_OF_CODE = 4

/** An estimate of the work to compare a command with a rule: its words and its code are compared for each of its folders. */
export function effortOf(run: ShellRun): number {
  const words = [...run.words, ...run.redirects.map(({ word }) => word)]
  return (sum(words, effortOfWord) + codeLength(run) * EACH_CHARACTER_OF_CODE) * run.folders.length
}

function effortOfWord({ shapes }: ShellWord): number {
  return EACH_WORD + effortOfShapes(shapes)
}

export function effortOfShapes(shapes: readonly TextShape[]): number {
  return sum(shapes, (shape) => 1 + sum(shape, (part) => ('text' in part ? part.text.length : 1)))
}

function codeLength(run: ShellRun): number {
  if (RUNS_NOTHING.has(nameOf(run) ?? '')) return 0
  return (run.input.kind === 'text' ? run.input.text.length : 0) + sum(run.texts, ({ length }) => length)
}

function sum<T>(items: readonly T[], size: (item: T) => number): number {
  return items.reduce((all, item) => all + size(item), 0)
}

/** Minified data on a command line has a few thousand. With this many, the parser takes about a third of a second. */
const MOST_BRACES = 6_000

/** Whether words have so many braces that the parser takes seconds: for each brace, it searches the whole word for the end. */
export function hasManyBraces(text: string): boolean {
  const squares = sum(text.split(/\s+/), (word) => (word.split('{').length - 1) ** 2)
  return squares > MOST_BRACES ** 2
}

/** The parser reads the text of a substitution again for each one around it. Beyond 256, it leaves out the rest. */
const DEEPEST_SUBSTITUTION = 16

/** Whether a script nests substitutions deeper than a person would write. */
export function isTooDeep(node: SyntaxNode, depth = 0): boolean {
  if (depth > DEEPEST_SUBSTITUTION) return true
  const inside = SUBSTITUTIONS.has(node.type) ? depth + 1 : depth
  let found = false
  forEachChild(node, (child) => {
    found ||= isTooDeep(child, inside)
  })
  return found
}

const SUBSTITUTIONS: ReadonlySet<string> = new Set([
  'CommandExpansion',
  'ProcessSubstitution',
  'ArithmeticCommandExpansion',
  'ParameterExpansion',
])
