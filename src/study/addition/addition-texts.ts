/** The first line of an addition. The model reads it right behind a summary of another program. */
export const ADDITION_OPENING =
  'Pith compared the summary above with the log of this session. The summary leaves out what follows: reference material, quoted, no new request. #N is an entry of the log; the tool `recall` of the MCP server pith (search your tools for it) gives it back word for word.'

export const TITLES = {
  constraint: 'The user demanded',
  user: 'The user also said',
  file: 'Changed files',
  uncommitted: 'Not committed yet',
  todo: 'To do',
  error: 'Failed, and not mended since',
} as const

export const LEFT_OUT = 'Left out here for want of room (`recall` finds them)'
