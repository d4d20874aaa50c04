import { type ShellWord, textWord } from './shell-word.ts'
import { exactText, type TextShape } from './text-shape.ts'

/** A simple command that a command line may run. */
export type ShellRun = {
  /** The name first; none where only a redirection is done. */
  readonly words: readonly ShellWord[]
  /** Where it may be run, absolute; the likeliest folder first. */
  readonly folders: readonly TextShape[]
  readonly redirects: readonly { readonly word: ShellWord; readonly writes: boolean }[]
  readonly input: ShellInput
  /** The texts of files that it names and that the same script has written. */
  readonly texts: readonly string[]
}

/** What a command reads from its standard input, as far as the text says. */
export type ShellInput =
  | { readonly kind: 'none' | 'unknown' }
  | { readonly kind: 'text'; readonly text: string }
  /** Lines of one of these shapes. */
  | { readonly kind: 'lines'; readonly shapes: readonly TextShape[] }

export const NO_INPUT: ShellInput = { kind: 'none' }

/** All that a command line may run, and the parts of it that may run anything. */
export type ScriptReading = { readonly runs: readonly ShellRun[]; readonly doubts: readonly string[] }

/** What a command runs itself: another command, the text of a script, or something that its text does not say. */
export type LaunchTarget =
  | { readonly kind: 'run'; readonly run: ShellRun }
  | { readonly kind: 'script'; readonly text: string; readonly input?: ShellInput }
  | { readonly kind: 'doubt'; readonly text: string }

/** The name of a command without its folder; undefined where the text does not say it. */
export function nameOf({ words }: Pick<ShellRun, 'words'>): string | undefined {
  const text = words[0]?.text
  return text?.slice(text.lastIndexOf('/') + 1)
}

/** A run for each name that a command may have, where the text says all of them. */
export function byName(run: ShellRun): ShellRun[] {
  const [first, ...rest] = run.words
  const names = first === undefined || first.isMany ? [] : first.shapes.map(exactText)
  const known = names.filter((name) => name !== undefined)
  if (known.length < 2 || known.length < names.length) return [run]
  return known.map((name) => ({ ...run, words: [{ ...textWord(name), source: first?.source ?? name }, ...rest] }))
}
