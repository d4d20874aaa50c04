import type { Ratio, Scores } from './scores.ts'

export type Row = { readonly name: string; readonly ours: Scores; readonly theirs: Scores; readonly ms: number }

/** The scores of each compaction and of all together: ours first, then those of the summary that the agent recorded. */
export function table(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ name, ours, theirs, ms }) => [
    cells(name, ours, ours.characters <= theirs.characters ? '' : ' LARGER', ms),
    cells('  recorded', theirs),
  ])
  const larger = rows.filter(({ ours, theirs }) => ours.characters > theirs.characters).length
  const totals = [
    cells('all', sum(rows.map(({ ours }) => ours))),
    cells('  recorded', sum(rows.map(({ theirs }) => theirs))),
  ]
  return [HEADINGS, ...lines, ...totals, `${rows.length} compactions, ours larger in ${larger}`].join('\n')
}

const HEADINGS = `${''.padEnd(33)}  edited      read only   used again  prompts     (60 char.)  invented  told  characters`

function cells(name: string, scores: Scores, note = '', ms?: number): string {
  const { edited, readOnly, usedAgain, prompts, beginnings, invented, told, characters } = scores
  return [
    name.padEnd(33),
    ...[edited, readOnly, usedAgain, prompts, beginnings].map((ratio) => shown(ratio).padEnd(10)),
    String(invented.length).padStart(8),
    told.toFixed(told % 1 === 0 ? 0 : 1).padStart(4),
    `${String(characters).padStart(8)}${note}${ms === undefined ? '' : `  ${Math.round(ms)} ms`}`,
  ].join('  ')
}

function shown({ kept, of }: Ratio): string {
  if (of === 0) return '-'
  return kept === of ? `${kept}/${of}` : `${kept}/${of} ${((kept * 100) / of).toFixed(0)}%`
}

function sum(all: readonly Scores[]): Scores {
  const added = (pick: (scores: Scores) => Ratio): Ratio => ({
    kept: all.reduce((total, scores) => total + pick(scores).kept, 0),
    of: all.reduce((total, scores) => total + pick(scores).of, 0),
  })
  return {
    edited: added(({ edited }) => edited),
    readOnly: added(({ readOnly }) => readOnly),
    usedAgain: added(({ usedAgain }) => usedAgain),
    prompts: added(({ prompts }) => prompts),
    beginnings: added(({ beginnings }) => beginnings),
    invented: all.flatMap(({ invented }) => invented),
    characters: all.reduce((total, scores) => total + scores.characters, 0),
    told: all.length === 0 ? 0 : all.reduce((total, scores) => total + scores.told, 0) / all.length,
    missing: all.flatMap(({ missing }) => missing),
  }
}
