import type { Index } from '../../../model/log-index.ts'
import type { Thing } from '../digest/tell-within.ts'
import type { Group } from './other-facts.ts'

/** Names that calls and results had, each once, under the file that they were seen in; those that stand elsewhere in the index are not told again. */
export function seenGroup(index: Index): Group {
  const told = new Set([
    ...index.identifiers.map(({ text }) => text),
    ...index.files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)),
  ])
  const labelled = new Set<string>()
  const labels: string[] = []
  const things: Thing[] = []
  for (const { names, path } of index.seen ?? []) {
    const label = path === undefined ? '' : path.split('/').slice(-2).join('/')
    for (const name of names) {
      if (told.has(name)) continue
      // The first of a file to be told pays for the file's own name.
      const isFirst = label !== '' && !labelled.has(label)
      labelled.add(label)
      const line = isFirst ? `${label}: ${name}` : name
      things.push({ rank: -things.length, way: () => line })
      labels.push(label)
    }
  }
  const labelOf = new Map(things.map((thing, i) => [thing.way(0), labels[i] ?? '']))
  return {
    title: 'Names in calls and results',
    things,
    what: 'more names',
    share: 20,
    layout: (lines) =>
      [...Map.groupBy(lines, (line) => labelOf.get(line) ?? '')].map(([, group]) => `- ${group.join(', ')}`),
  }
}
