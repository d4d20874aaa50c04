/** The sections of a record, in their order: what somebody who takes over would ask. */
export const SECTION = {
  now: 'Now',
  changed: 'What has changed',
  state: 'Current state',
  reasons: 'Reasons',
  earlier: 'Earlier, as it was summarised then',
  nextSteps: 'Next steps and pitfalls',
  details: 'Details',
  elsewhere: 'Where else',
} as const

/** The titles until 0.2: logs, and files that other agents keep, still have them. */
const FORMER_TITLES: ReadonlyMap<string, string> = new Map([
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
  read: 'Files read',
  names: 'Names',
} as const

/** The words before the folder that all paths of a record are relative to. */
export const ROOT_WORDS = 'Paths are from'

/** Sections that a summary, a model's or our own, may have lines in. */
export const NARRATIVE_SECTIONS: readonly string[] = [
  SECTION.state,
  SECTION.reasons,
  SECTION.earlier,
  SECTION.nextSteps,
  SECTION.details,
]

/** Sections and headings that only the program writes, by the words they begin with. */
export const FACT_TITLES: readonly string[] = [
  SECTION.now,
  SECTION.changed,
  SECTION.elsewhere,
  ...[HEADING.said, HEADING.instructions, HEADING.todos].map((title) => title.split(',', 1)[0] ?? title),
]
