import type { TextPiece } from '../ledger/text-pieces.ts'

/** A file that a script writes, and the pieces of text that it replaces, if both are literals in the script. */
export type ScriptWrite = { readonly path: string; readonly pieces: () => readonly TextPiece[] }

/** The files that a short script of Python or JavaScript writes: `open('a', 'w')`, `Path(p).write_text(…)`, `writeFileSync('a', …)`. */
export function scriptWrites(script: string): ScriptWrite[] {
  if (!/\bopen\(|\.write_|writeFileSync/.test(script)) return []
  const code = script.slice(0, MOST_CHARACTERS)
  const paths = writtenPaths(code)
  // With several files, we cannot know in which one a text was replaced.
  return paths.map((path) => ({ path, pieces: () => (paths.length === 1 ? replacedPieces(code) : []) }))
}

const MOST_CHARACTERS = 20_000

const QUOTED = String.raw`(?:(?<quote>['"\`])(?<path>[^'"\`$\n]{1,300})\k<quote>|(?<name>\w{1,60}))`
const WRITES = [
  String.raw`\bopen\(\s{0,20}${QUOTED}\s{0,20},\s{0,20}(?:mode\s?=\s?)?['"][wax]`,
  String.raw`\bPath\(\s{0,20}${QUOTED}\s{0,20}\)\.write_(?:text|bytes)\(`,
  String.raw`\b(?<name>\w{1,60})\.write_(?:text|bytes)\(`,
  String.raw`\bwriteFileSync\(\s{0,20}${QUOTED}\s{0,20},`,
].map((pattern) => new RegExp(pattern, 'g'))

function writtenPaths(code: string): string[] {
  const known = new Map(Array.from(code.matchAll(NAMED_PATH), ({ groups }) => [groups?.name, groups?.path]))
  const found = WRITES.flatMap((pattern) =>
    Array.from(code.matchAll(pattern), ({ groups }) => groups?.path ?? known.get(groups?.name)),
  )
  return [...new Set(found.filter((path) => path !== undefined))]
}

/** `p = 'src/a.py'`, `const file = "a.ts"`, `p = Path("a")` */
const NAMED_PATH =
  /^[ \t]{0,20}(?:const |let |var )?(?<name>\w{1,60})\s?=\s?(?:(?:pathlib\.)?Path\()?(?<quote>['"])(?<path>[^'"\n$]{1,300})\k<quote>/gm

const TEXT = String.raw`(?:"""[\s\S]{0,4000}?"""|'''[\s\S]{0,4000}?'''|"(?:[^"\\\n]|\\.){0,2000}"|'(?:[^'\\\n]|\\.){0,2000}')`
const REPLACE = new RegExp(String.raw`\.replace\(\s{0,40}(${TEXT})\s{0,40},\s{0,40}(${TEXT})`, 'g')
const MOST_PIECES = 20

function replacedPieces(code: string): TextPiece[] {
  const pieces: TextPiece[] = []
  for (const [, before = '', after = ''] of code.matchAll(REPLACE)) {
    pieces.push({ before: textIn(before), after: textIn(after) })
    if (pieces.length === MOST_PIECES) break
  }
  return pieces.filter(({ before }) => before !== '')
}

/** The text of a literal. */
function textIn(literal: string): string {
  const quotes = /^(?:"""|'''|["'])/.exec(literal)?.[0].length ?? 0
  return literal.slice(quotes, -quotes).replace(/\\([\s\S])/g, (_, sign: string) => SIGNS.get(sign) ?? sign)
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['\n', ''],
])
