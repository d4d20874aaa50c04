import { pageWithBlocks } from './blocks.ts'
import { table } from './markdown.ts'
import { money } from './number-forms.ts'
import { ResultTable } from './results.ts'

const BENCH = 'library/frameworks'

/** docs/library.md: what the adapters and the frameworks' own compactions cost and keep. */
export function libraryPage(): string {
  return pageWithBlocks('docs/library.md', { frameworks: measured() })
}

function measured(): string {
  const windows = [new ResultTable(BENCH, /^Window of 16,000$/), new ResultTable(BENCH, /^Window of 200,000$/)]
  const [first] = windows
  const rows = (first?.rows ?? []).map(([way]) => [
    String(way),
    ...windows.flatMap((window) => cells(window, String(way))),
  ])
  const head = ['16k: cost', 'facts', 'edits', 'refused', '200k: cost', 'facts', 'edits', 'refused']
  return table([`300 steps (${first?.date})`, ...head], rows)
}

function cells(window: ResultTable, way: string): string[] {
  const kept = ['facts of 50', 'edits of 24', 'refused'].map((column) => String(window.number(way, column)))
  return [money(window.number(way, '$')), ...kept]
}
