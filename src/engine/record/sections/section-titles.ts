/** The sections of a record, in their order: what somebody who takes over would ask. */
export const SECTION = {
  now: 'Now',
  changed: 'What has changed',
  stand: 'Where things stand',
  why: 'Why it is so',
  earlier: 'Earlier, as it was summarised then',
  onward: 'How to go on',
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
  onTheWay: 'Said on the way, newest first',
  reported: 'What the agent reported, newest first',
  commands: 'Commands that work here',
  addresses: 'Addresses and ids',
  failed: 'Failed here, and what became of it',
  read: 'Files read',
  names: 'Names',
} as const

/** The words before the folder that all paths of a record are told from. */
export const ROOT_WORDS = 'Paths are from'

/** Sections that a summary, a model's or our own, may have lines in. */
export const NARRATIVE_SECTIONS: readonly string[] = [
  SECTION.stand,
  SECTION.why,
  SECTION.earlier,
  SECTION.onward,
  SECTION.details,
]

/** Sections and headings that only the program writes, by the words they begin with. */
export const FACT_TITLES: readonly string[] = [
  SECTION.now,
  SECTION.changed,
  SECTION.elsewhere,
  ...[HEADING.said, HEADING.instructions, HEADING.todos].map((title) => title.split(',', 1)[0] ?? title),
]
