import { type ChangeFact, mergeFileChanges, type SymbolFact, unreadChange } from '../../../model/facts/change-fact.ts'
import type { Seq } from '../../../model/ids.ts'
import { changedLines, linesOf } from './changed-lines.ts'
import { hunkOf } from './hunk-of.ts'
import { type DefinedSymbol, symbolIn, type TextKind, textKind } from './symbol-in.ts'
import type { TextPiece } from './text-pieces.ts'

/** What one call did to a file's text. A file that a command changed without saying how has no pieces. */
export function changeOf(path: string, pieces: readonly TextPiece[], seq: Seq): ChangeFact {
  const numbers = { path, seq, edits: 1 }
  return pieces.length === 0 ? numbers : unreadChange(numbers, () => piecesChange(path, pieces, seq))
}

function piecesChange(path: string, pieces: readonly TextPiece[], seq: Seq): ChangeFact {
  const kind = textKind(path)
  return mergeFileChanges(pieces.slice(0, MOST_PIECES).map((piece) => pieceChange(path, kind, piece, seq)))
}

const MOST_PIECES = 100

function pieceChange(path: string, kind: TextKind, { before, after }: TextPiece, seq: Seq): ChangeFact {
  const lines = changedLines(linesOf(before ?? ''), linesOf(after))
  const old = symbolsOf(lines.before, kind)
  const now = symbolsOf(lines.after, kind)
  const touched = new Set([...old.touched, ...now.touched])
  const symbols = [...touched].map(
    (name): SymbolFact => ({ name, first: seq, last: seq, was: old.byName.has(name), is: now.byName.has(name) }),
  )
  const hunk = hunkOf(lines, before === undefined)
  const renamed = renamedIn(old.byName, now.byName)
  return {
    path,
    seq,
    edits: 1,
    ...(before === undefined ? { whole: seq } : {}),
    symbols,
    ...(renamed === undefined ? {} : { renamed: [{ seq, ...renamed }] }),
    ...(hunk === '' ? {} : { hunks: [{ seq, text: hunk }] }),
  }
}

type Symbols = { readonly byName: ReadonlyMap<string, DefinedSymbol>; readonly touched: ReadonlySet<string> }

/** The symbols of some lines; those are touched that stand in a changed line or are the nearest above one. */
function symbolsOf(lines: readonly { readonly text: string; readonly isChanged: boolean }[], kind: TextKind): Symbols {
  const byName = new Map<string, DefinedSymbol>()
  const touched = new Set<string>()
  let around: string | undefined
  for (const { text, isChanged } of lines) {
    const symbol = symbolIn(text, kind)
    if (symbol !== undefined) {
      byName.set(symbol.name, symbol)
      around = symbol.name
    }
    if (isChanged && around !== undefined) touched.add(around)
  }
  return { byName, touched }
}

/** An edit that takes one name away and puts another one in its place, in a line that begins alike, renames it. */
function renamedIn(
  old: Symbols['byName'],
  now: Symbols['byName'],
): { readonly from: string; readonly to: string } | undefined {
  const gone = [...old.values()].filter(({ name }) => !now.has(name))
  const come = [...now.values()].filter(({ name }) => !old.has(name))
  const [from, to] = [gone[0], come[0]]
  if (from === undefined || to === undefined || gone.length > 1 || come.length > 1) return undefined
  return from.head === to.head ? { from: from.name, to: to.name } : undefined
}
