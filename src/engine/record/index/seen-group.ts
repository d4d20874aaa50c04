import type { Index } from '../../../model/facts/log-index.ts'
import { oneLine } from '../../../model/text/one-line.ts'
import type { Snippet } from '../digest/render-within.ts'
import { escaped, pathLine } from '../escape.ts'
import { TITLE } from './index-titles.ts'
import type { FactGroup } from './other-facts.ts'

/** The names in calls and results, each once, under the file where it was seen, without those that the index has elsewhere. */
export function seenGroup(index: Index): FactGroup {
  const elsewhere = new Set([
    ...index.identifiers.map(({ text }) => text),
    ...index.files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)),
  ])
  const labelled = new Set<string>()
  const labels: string[] = []
  const snippets: Snippet[] = []
  for (const { names, path } of index.seen ?? []) {
    const label = path === undefined ? '' : pathLine(path.split('/').slice(-2).join('/'))
    for (const seen of names) {
      const name = oneLine(seen, 160)
      if (elsewhere.has(name)) continue
      // The first name of a file pays for the label too.
      const isFirst = label !== '' && !labelled.has(label)
      labelled.add(label)
      const line = isFirst ? `${label}: ${name}` : name
      snippets.push({ priority: -snippets.length, render: () => line })
      labels.push(label)
    }
  }
  const labelOf = new Map(snippets.map((snippet, i) => [snippet.render(0), labels[i] ?? '']))
  return {
    title: TITLE.seen,
    snippets,
    what: 'more names',
    share: 20,
    layout: (lines) =>
      [...Map.groupBy(lines, (line) => labelOf.get(line) ?? '')].map(([, group]) => escaped(`- ${group.join(', ')}`)),
  }
}
