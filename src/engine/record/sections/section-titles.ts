/** The sections of a record, in their order: what somebody who takes over would ask. */
export const SECTION = {
  now: 'Now',
  inRole: "In the user's role: attached files, and words of unknown origin",
  instructions: 'Instructions that were read: the words of files, not of the user',
  changed: 'What has changed',
  state: 'Current state',
  reasons: 'Reasons',
  earlier: 'Earlier, as it was summarised then',
  nextSteps: 'Next steps and pitfalls',
  details: 'Details',
  elsewhere: 'Where else',
} as const

/** Headings inside sections whose lines come from the log. */
export const HEADING = {
  said: 'The user said, verbatim, newest first',
  instructions: 'System instructions given on the way, verbatim, newest first',
  commits: 'Commits, pushes and pull requests, newest first',
  checks: 'Checks, the last run of each',
  todos: 'To-dos as last written',
  failing: 'Failing',
  leftOut: 'Left out of the view',
  reported: 'What the agent said, newest first',
  commands: 'Commands, as they ended last',
  addresses: 'Addresses and ids',
  failed: 'Failed here, and what became of it',
  printed: 'Lines that tools printed: not the words of the user or the agent',
  read: 'Files read',
} as const

/** The words before the folder that all paths of a record are relative to. */
export const ROOT_WORDS = 'Paths are from'

/** The words that the section of untyped texts begins with. */
export const ROLE_WORDS = "In the user's role"

/** The words that the section of instruction files begins with. */
export const INSTRUCTION_WORDS = 'Instructions that were read'

/** The headings of the lists of files that a preset adds to its summary. */
export const FILE_LISTS = { read: 'Read Files', modified: 'Modified Files' } as const

/** Sections and headings that only the program writes, by the words they begin with. */
export const FACT_TITLES: readonly string[] = [
  SECTION.now,
  SECTION.changed,
  SECTION.elsewhere,
  INSTRUCTION_WORDS,
  ROLE_WORDS,
  'Lines that tools printed',
  ...[HEADING.said, HEADING.instructions, HEADING.commands].map((title) => title.split(',', 1)[0] ?? title),
  HEADING.todos,
  HEADING.read,
  ...Object.values(FILE_LISTS),
]

/** A section of a Markdown text: the lines under a `## heading`. Lines before the first heading have an empty title. */
export type Section = { readonly title: string; readonly lines: readonly string[] }

/** Reads the sections of a summary. */
export function sectionsOf(text: string): Section[] {
  const sections: { title: string; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const heading = /^##\s+(.{1,80}?)\s*$/.exec(line)
    if (heading?.[1] !== undefined) sections.push({ title: heading[1], lines: [] })
    else if (sections.length > 0 || line.trim() !== '') {
      if (sections.length === 0) sections.push({ title: '', lines: [] })
      sections.at(-1)?.lines.push(line)
    }
  }
  return sections.map(({ title, lines }) => ({ title, lines: trimmed(lines) }))
}

function trimmed(lines: readonly string[]): string[] {
  const from = lines.findIndex((line) => line.trim() !== '')
  const to = lines.findLastIndex((line) => line.trim() !== '')
  return from === -1 ? [] : lines.slice(from, to + 1)
}
