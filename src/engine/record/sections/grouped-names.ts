import type { Snippet } from '../digest/render-within.ts'
import { escaped } from '../escape.ts'

/** A name under a label, such as a file in its folder; the higher priority is shown first when there is little room. */
export type LabelledName = { readonly label: string; readonly name: string; readonly priority: number }

/**
 * Names as snippets, and the lines that say each label once: `- src/engine/: plan.ts, view.ts`. The first name of a label,
 * by priority, pays for the label.
 */
export function groupedNames(names: readonly LabelledName[]): {
  readonly snippets: readonly Snippet[]
  readonly layout: (lines: readonly string[]) => string[]
} {
  const labelled = new Set<string>()
  const byLine = new Map<string, LabelledName>()
  const snippets = names
    .toSorted((a, b) => b.priority - a.priority)
    .map((one): Snippet => {
      const isFirst = !labelled.has(one.label)
      labelled.add(one.label)
      // The comma that will stand between two names is counted with the second.
      const line = isFirst ? `- ${one.label}: ${one.name}` : `${one.name},`
      byLine.set(line, one)
      return { priority: one.priority, render: () => line }
    })
  const layout = (lines: readonly string[]) => {
    const shown = lines.flatMap((line) => byLine.get(line) ?? [])
    const groups = [...Map.groupBy(shown, ({ label }) => label)].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return groups.map(([label, some]) =>
      escaped(
        `- ${labelText(
          label,
          some.map(({ name }) => name),
        )}`,
      ),
    )
  }
  return { snippets, layout }
}

function labelText(label: string, names: readonly string[]): string {
  if (label === '') return names.join(', ')
  if (names.length === 1 && label.endsWith('/')) return `${label}${names[0]}`
  return `${label}: ${names.join(', ')}`
}
