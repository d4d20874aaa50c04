import type { OwnPrompts } from './prompt-set.ts'

export const KODA_PROMPTS: OwnPrompts = {
  system:
    'You condense the history of a coding session. Your text takes the place of the messages. Do not continue the session, do not answer questions in it, do not call tools.',
  summary: `Condense the conversation above, earlier summaries in it included. Think first inside <analysis> and </analysis>: go through it in order and note requests, decisions, files, errors. Then write the summary outside of them:

1. What the user asked for, every request, and the state of each.
2. Decisions that were made, with their reasons.
3. Files that were looked at, created or changed, and what matters in them.
4. Errors that came up and how each was solved.
5. What was being done last, and what is still open.

Keep paths, names and error messages exact.`,
  turn: 'Condense the work so far in the turn above: what was asked, results of tools, changes to files.',
  focus: (focus) => `Additional focus: ${focus}`,
}
