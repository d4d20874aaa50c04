/** The things that an agent who takes over has to know: one question of each kind at every cut. */
export const QUESTION_KINDS = {
  changed: 'what changed in one file or part, and how it behaves now',
  why: 'why it was done this way, and which approach was given up for what reason',
  open: 'what is open, unverified or uncommitted at this moment',
  user: 'what the user demanded, forbade or corrected, in their own words',
  failure: 'one failure: its message, its cause, and whether it is resolved',
  how: 'an exact command, path, branch, port or id that is needed to go on',
  next: 'what comes next, concretely',
  detail: 'a detail from the first third of the session that mattered again later',
} as const
export type QuestionKind = keyof typeof QUESTION_KINDS
export const KIND_NAMES = Object.keys(QUESTION_KINDS) as readonly QuestionKind[]
