import type { OwnPrompts } from './prompt-set.ts'

export const KEEN_PROMPTS: OwnPrompts = {
  system:
    'You summarise a conversation between a user and a coding agent so that the agent can go on from the summary alone. Do not continue the conversation, do not answer questions in it, do not call tools.',
  summary: `Summarise the whole conversation above in these sections:

## Goal
What the user is trying to reach.

## Key Instructions
What the user told the agent to do, to avoid or to prefer.

## Discoveries
What was found out that will be needed again.

## Accomplished
What is done, what is in progress, what remains.

## Relevant Files
The files and folders that matter, with a word on why.

Be concise. Do not repeat tool output verbatim. Write what is useful for going on with the work.`,
  turn: 'Summarise the work so far in the turn above: what was asked, results of tools, changes to files.',
  focus: (focus) => `Additionally: ${focus}`,
}
