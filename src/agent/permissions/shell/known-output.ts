import type { Redirection } from 'unbash'
import {
  type ExpansionContext,
  nameOf,
  type ShellInput,
  type ShellRun,
  type ShellWord,
  shapesOf,
  wordOf,
} from './shell-word.ts'
import { ANYTHING, belowShape, exactText, globShape, literal, pathShape, type TextShape } from './text-shape.ts'

/** The output of a command, if its text shows it. */
export function knownOutput(run: ShellRun): ShellInput {
  if (run.redirects.some(({ writes }) => writes)) return { kind: 'none' }
  return printedText(run) ?? { kind: 'unknown' }
}

/** The same, even if the output is redirected. */
export function printedText(run: ShellRun): ShellInput | undefined {
  const texts = run.words.slice(1).map(({ text }) => text)
  switch (nameOf(run)) {
    case 'echo':
      return echoed(texts)
    case 'printf':
      return formatted(texts)
    case 'cat':
      return texts.length === 0 || (texts.length === 1 && texts[0] === '-') ? run.input : undefined
    case 'pwd': {
      const folder = run.folders.length === 1 ? exactText(run.folders[0] ?? []) : undefined
      return folder === undefined ? undefined : { kind: 'text', text: folder }
    }
    case 'find':
      return { kind: 'lines', shapes: foundShapes(run) }
    default:
      return undefined
  }
}

type Texts = readonly (string | undefined)[]

function echoed(texts: Texts): ShellInput | undefined {
  const start = texts.findIndex((text) => text === undefined || !/^-[neE]+$/.test(text))
  const words = start === -1 ? [] : texts.slice(start)
  if (words.includes(undefined)) return undefined
  // With -e, and in some shells without it, a backslash begins an escape.
  const text = words.join(' ')
  return text.includes('\\') ? undefined : { kind: 'text', text: `${text}\n` }
}

function formatted([format, ...values]: Texts): ShellInput | undefined {
  if (format === undefined || values.includes(undefined)) return undefined
  const plain = format.replaceAll('\\n', '\n').replaceAll('\\t', '\t')
  if (plain.includes('\\')) return undefined
  if (!plain.includes('%')) return { kind: 'text', text: plain }
  if (!/^(?:[^%]*%s[^%]*)$/.test(plain)) return undefined
  return { kind: 'text', text: values.map((value) => plain.replace('%s', () => value ?? '')).join('') }
}

/** The paths that `find` may print: below its folders, with the name of `-name`. */
export function foundShapes(run: ShellRun): readonly TextShape[] {
  const name = askedName(run.words.slice(1).map(({ text }) => text))
  const from = startFolders(run)
  if (from.length > MOST_STARTS) return [ANYTHING]
  return from.flatMap((folder) => [
    ...(name === undefined ? [folder] : []),
    [...folder, { text: '/' }, ...(name ?? []), ...(name === undefined ? [{ hole: 'any' } as const] : [])],
    ...(name === undefined ? [] : [[...folder, { text: '/' }, { hole: 'any' } as const, { text: '/' }, ...name]]),
  ])
}

/** The folders of the files that `find` may print: `-execdir` runs its command there. */
export function foundFolders(run: ShellRun): readonly TextShape[] {
  const from = startFolders(run)
  return from.length > MOST_FOLDERS ? [ANYTHING] : from.flatMap((folder) => [folder, belowShape(folder)])
}

/** The folders in which `find` starts. */
function startFolders({ words, folders }: ShellRun): readonly TextShape[] {
  const args = words.slice(1)
  const first = args.findIndex(({ text }) => text === undefined || /^[-(!]/.test(text))
  const starts = (first === -1 ? args : args.slice(0, first)).flatMap(({ shapes }) => shapes)
  return starts.length === 0 ? folders : folders.flatMap((folder) => starts.map((start) => pathShape(folder, start)))
}

const MOST_STARTS = 100
const MOST_FOLDERS = 32

/** The only name that `find` accepts; undefined if its conditions are not that simple. */
function askedName(texts: Texts): TextShape | undefined {
  if (texts.some((text) => text === undefined || /^(?:-o|-or|!|-not|,)$/.test(text))) return undefined
  const at = texts.indexOf('-name')
  const name = at === -1 ? undefined : texts[at + 1]
  return name === undefined ? undefined : globShape(name)
}

/** The texts of files that a script writes, because it may run them later. */
export class WrittenFiles {
  readonly #texts = new Map<string, string>()

  /** Remembers the text that a command writes, if it is known. */
  keep(run: ShellRun): void {
    const isTee = nameOf(run) === 'tee'
    const printed = isTee ? run.input : printedText(run)
    if (printed?.kind !== 'text') return
    const targets = isTee ? run.words.slice(1) : run.redirects.flatMap(({ word, writes }) => (writes ? [word] : []))
    for (const target of targets) {
      const path = pathOf(run, target)
      if (path !== undefined) this.#texts.set(path, (this.#texts.get(path) ?? '') + printed.text)
    }
  }

  /** The text of the file that a word of a command names. */
  text(run: Pick<ShellRun, 'folders'>, file: ShellWord): string | undefined {
    const path = this.#texts.size === 0 ? undefined : pathOf(run, file)
    return path === undefined ? undefined : this.#texts.get(path)
  }
}

function pathOf({ folders }: Pick<ShellRun, 'folders'>, { text }: ShellWord): string | undefined {
  return text === undefined ? undefined : exactText(pathShape(folders[0] ?? ANYTHING, literal(text)))
}

type Redirects = Pick<ShellRun, 'redirects'> & { readonly input?: ShellInput }

/** The files that redirections name, and the input that they give to the command. */
export function redirectsOf(redirections: readonly Redirection[], context: ExpansionContext): Redirects {
  const redirects: { word: ShellWord; writes: boolean }[] = []
  let input: ShellInput | undefined
  for (const redirect of redirections) {
    if (redirect.type === 'HereDoc') input = { kind: 'text', text: redirect.body.text }
    if (redirect.type === 'HereDoc' || redirect.target === undefined) continue
    const word = wordOf(shapesOf(redirect.target, context), redirect.target.text)
    if (redirect.type === 'HereString') input = textInput(word.text)
    // `2>&1` and `>&-` do not name a file.
    else if (!/^\d*-?$/.test(word.text ?? '?')) {
      const writes = redirect.operator !== '<' && redirect.operator !== '<&'
      redirects.push({ word, writes })
      if (!writes) input = { kind: 'unknown' }
    }
  }
  return { redirects, input }
}

function textInput(text: string | undefined): ShellInput {
  return text === undefined ? { kind: 'unknown' } : { kind: 'text', text: `${text}\n` }
}
