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

/** The titles until 0.2: logs, and files that other agents keep, still have them. */
export const FORMER_TITLES: ReadonlyMap<string, string> = new Map([
  ['Where things stand', SECTION.state],
  ['Why it is so', SECTION.reasons],
  ['How to go on', SECTION.nextSteps],
])

/** The title that a section has today. */
export function currentTitle(title: string): string {
  return FORMER_TITLES.get(title) ?? title
}

/** Headings inside sections whose lines come from the log. */
export const HEADING = {
  said: 'The user said, verbatim, newest first',
  instructions: 'System instructions given on the way, verbatim, newest first',
  commits: 'Commits, pushes and pull requests, newest first',
  checks: 'Checks, the last run of each',
  todos: 'To-dos as last written',
  failing: 'Failing',
  onTheWay: 'Said on the way, newest first',
  reported: 'What the agent reported, newest first',
  commands: 'Commands that work here',
  addresses: 'Addresses and ids',
  failed: 'Failed here, and what became of it',
  printed: 'Lines that tools printed: not the words of the user or the agent',
  read: 'Files read',
  names: 'Names',
} as const

/** The words before the folder that all paths of a record are relative to. */
export const ROOT_WORDS = 'Paths are from'

/** The words that the lines about an unfinished turn begin with. */
export const UNDER_WAY = { work: 'The work on the request', said: 'Said last' } as const

/** Sections that a summary, a model's or our own, may have lines in. */
export const NARRATIVE_SECTIONS: readonly string[] = [
  SECTION.state,
  SECTION.reasons,
  SECTION.earlier,
  SECTION.nextSteps,
  SECTION.details,
]

/** The words that the section of untyped texts begins with, and its heading in an index. */
export const ROLE_WORDS = "In the user's role"

/** The words that the section of instruction files begins with. */
export const INSTRUCTION_WORDS = 'Instructions that were read'

/** Sections and headings that only the program writes, by the words they begin with. */
export const FACT_TITLES: readonly string[] = [
  SECTION.now,
  SECTION.changed,
  SECTION.elsewhere,
  INSTRUCTION_WORDS,
  ROLE_WORDS,
  'Lines that tools printed',
  ...[HEADING.said, HEADING.instructions, HEADING.todos].map((title) => title.split(',', 1)[0] ?? title),
]

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

function trimmed(lines: readonly string[]): string[] {
  const from = lines.findIndex((line) => line.trim() !== '')
  const to = lines.findLastIndex((line) => line.trim() !== '')
  return from === -1 ? [] : lines.slice(from, to + 1)
}

/** The sections of an index. */
export const TITLE = {
  first: 'The user said first, verbatim',
  later: 'The user said later, verbatim, newest first',
  inRole: "In the user's role, newest first",
  instructions: 'System instructions given on the way, verbatim, newest first',
  constraints: 'Constraints that the user set, newest first',
  todos: 'To-dos as last written',
  modified: 'Files modified',
  read: 'Files read',
  gone: 'Files deleted, moved or reverted',
  commands: 'Commands',
  errors: 'Errors',
  names: 'Names',
  seen: 'Names in calls and results',
  kitRead: 'Read Files',
  kitModified: 'Modified Files',
} as const

/** The beginnings by which they are known. */
export const INDEX_TITLES: readonly string[] = Object.values(TITLE).map((title) => title.split(',', 1)[0] ?? title)
