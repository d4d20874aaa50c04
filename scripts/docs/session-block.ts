/** The command lines that README names. */
export const COMPACT_EXAMPLE = ['compact', 'example', '--offline', '--to', 'pith', '--out', 'upload.jsonl'] as const
export const DIFF_EXAMPLE = ['diff', 'upload.jsonl'] as const

/** The output of `pith compact` and `pith diff` for the bundled session. */
export type CompactedExample = { readonly record: string; readonly diff: string }

const ITEMS_SHOWN = 1
const LINES_SHOWN = 2

/** The bundled session before and after a compaction without a model, shortened: each `…` replaces lines. */
export function sessionBlock({ record, diff }: CompactedExample): string {
  const [, messages, was, left, became] =
    /: (\d+) messages, (\S+) tokens → (\d+) messages, (\S+) tokens$/m.exec(diff) ?? []
  return [
    `Before: ${messages} messages, **${was} tokens**. After: **${became} tokens**. The last ${Number(left) - 1} messages stay word for word; before them comes this record:`,
    ['```markdown', ...excerpt(firstParts(record).split('\n')), '```'].join('\n'),
  ].join('\n\n')
}

/** The first two parts of the record: the requests and the changes. */
function firstParts(record: string): string {
  return `${record.slice(0, record.indexOf('\n## Current state'))}\n…`
}

/** The first items of each group, and the first lines of each item. */
function excerpt(lines: readonly string[]): string[] {
  const shown: string[] = []
  let [items, inside] = [0, 0]
  for (const line of lines) {
    if (/^#{2,3} /.test(line)) items = 0
    if (line.startsWith('- ')) items++
    inside = line.startsWith('    ') ? inside + 1 : 0
    if (items <= ITEMS_SHOWN && inside <= LINES_SHOWN) shown.push(line)
    else if (shown.at(-1)?.trim() !== '…') shown.push(items > ITEMS_SHOWN ? '…' : '    …')
  }
  return shown.flatMap((line, i) => (line === '…' && shown[i - 1]?.trim() === '…' ? [] : [line]))
}
