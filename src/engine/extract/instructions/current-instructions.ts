import { lastChange } from '../../../model/facts/merge-facts.ts'
import type { FileFact, InstructionFileFact, Seq } from '../../../model/types.ts'
import { isWholePath, type KnownFiles } from '../current-files.ts'

/** An instruction file in its current state, by the log. */
export type CurrentInstruction = {
  readonly path: string
  /** The entry in which the agent saw it last. */
  readonly seq: Seq
  /** The entries that its path and its text come from. */
  readonly sources: readonly Seq[]
  /** Its text; undefined if the record only names it, or if it has changed in a way that the log does not show. */
  readonly text?: string
  /** The full length of the text, if it was shortened. */
  readonly length?: number
  /** How much of it the agent saw. */
  readonly extent: 'whole' | 'part' | 'printed'
  /** The last change of it after that. */
  readonly changed?: Seq
  /** The entry after the record that has it whole. */
  readonly shown?: Seq
}

/** The instruction files that were read and are still there, in the order in which they were seen last. */
export function currentInstructions(
  facts: readonly InstructionFileFact[],
  { current, folder }: KnownFiles,
): CurrentInstruction[] {
  if (facts.length === 0) return []
  const whole = (path: string) => (folder === undefined || isWholePath(path) ? path : `${folder}${path}`)
  const files = new Map(current.map((file) => [whole(file.path), file]))
  const moved = new Map(current.flatMap((file) => (file.from === undefined ? [] : [[whole(file.from), file] as const])))
  return [...Map.groupBy(facts, ({ path }) => whole(path))]
    .flatMap(([path, some]) => {
      const seen = textAfter(
        path,
        some.toSorted((a, b) => a.seq - b.seq),
      )
      return seen === undefined ? [] : (asItIs(seen, files.get(path), moved.get(path)) ?? [])
    })
    .toSorted((a, b) => a.seq - b.seq)
}

/** The text after all that the facts of one file say. */
function textAfter(path: string, facts: readonly InstructionFileFact[]): CurrentInstruction | undefined {
  if (!facts.some(({ how }) => how === 'read' || how === 'part' || how === 'printed')) return undefined
  const seen = facts.reduce<SeenText | undefined>((seen, fact) => nextText(path, seen, fact), undefined)
  const sources = facts.flatMap(({ seq, call }) => (call === undefined ? [seq] : [seq, call]))
  return seen && { ...seen, sources: [...new Set(sources)] }
}

type SeenText = Omit<CurrentInstruction, 'sources'>

function nextText(
  path: string,
  seen: SeenText | undefined,
  { seq, how, text, length, pieces = [] }: InstructionFileFact,
): SeenText | undefined {
  switch (how) {
    case 'read':
    case 'written':
      return { path, seq, text, length, extent: 'whole' }
    case 'part':
    case 'printed':
      if (seen?.extent === 'whole' && seen.text !== undefined) return seen
      return { path, seq, text: joined(seen?.text, text), length, extent: how }
    case 'edited':
      return seen && { ...seen, text: pieces.reduce(edited(seen), seen.text), changed: seq }
    case 'shown':
      return seen && { ...seen, shown: seq }
  }
}

function joined(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one.includes(other) ? one : `${one}\n…\n${other}`
}

type Edit = (text: string | undefined, piece: { readonly before: string; readonly after: string }) => string | undefined

/** Replaces a piece of the text. If it is not in a whole text, the text cannot be right. */
function edited({ extent, length }: SeenText): Edit {
  return (text, { before, after }) => {
    if (text === undefined) return undefined
    if (before === '') return `${text.trimEnd()}\n${after}`
    if (text.includes(before)) return text.replace(before, () => after)
    return extent === 'whole' && length === undefined ? undefined : text
  }
}

/** The file after what happened to it apart from its text; undefined if it is gone. */
function asItIs(
  seen: CurrentInstruction,
  file: FileFact | undefined,
  moved: FileFact | undefined,
): CurrentInstruction | undefined {
  const last = Math.max(seen.seq, seen.changed ?? 0, seen.shown ?? 0)
  if (file === undefined || lastChange(file) <= last) return seen
  if (file.access === 'deleted') return moved === undefined ? undefined : { ...seen, path: moved.path }
  // Only git or a command that we cannot follow has changed it since.
  const isUnknown = file.access === 'modified' || seen.changed !== undefined
  return isUnknown ? { ...seen, text: undefined, length: undefined, changed: lastChange(file) } : seen
}
