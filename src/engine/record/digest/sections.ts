import { currentTitle } from '../sections/section-titles.ts'

/** A section of a Markdown text: the lines under a `## heading`. Lines before the first heading have an empty title. */
export type Section = { readonly title: string; readonly lines: readonly string[] }

/** Reads the sections of a summary. */
export function sectionsOf(text: string): Section[] {
  const sections: { title: string; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const heading = /^##\s+(.{1,80}?)\s*$/.exec(line)
    if (heading?.[1] !== undefined) sections.push({ title: currentTitle(heading[1]), lines: [] })
    else if (sections.length > 0 || line.trim() !== '') {
      if (sections.length === 0) sections.push({ title: '', lines: [] })
      sections.at(-1)?.lines.push(line)
    }
  }
  return sections.map(({ title, lines }) => ({ title, lines: trimmed(lines) }))
}

/** The sections as text; those without a line are left out. */
export function sectionsText(sections: readonly Section[]): string {
  return sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => (title === '' ? lines.join('\n') : `## ${title}\n${lines.join('\n')}`))
    .join('\n\n')
}

function trimmed(lines: readonly string[]): string[] {
  const from = lines.findIndex((line) => line.trim() !== '')
  const to = lines.findLastIndex((line) => line.trim() !== '')
  return from === -1 ? [] : lines.slice(from, to + 1)
}
