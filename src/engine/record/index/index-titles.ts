/** The sections of an index. */
export const TITLE = {
  first: 'The user said first, verbatim',
  later: 'The user said later, verbatim, newest first',
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
