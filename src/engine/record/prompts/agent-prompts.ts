import type { OwnPrompts } from './prompt-set.ts'

export const AGENT_PROMPTS: OwnPrompts = {
  system:
    'You summarise conversations between a user and a coding agent. Do not continue the conversation, do not answer questions in it, do not call tools.',
  summary: `Summarise the conversation above so that the agent can go on without it. Preserve file paths, decisions, important code, and errors with their solutions. Use these sections:

## Key Decisions
What was decided and why.

## File Context
Which files matter, by exact path, and what is in them.

## Code Changes
What was changed where; quote code that will be needed again.

## Errors and Solutions
Each error with its message and what solved it, or that it is not solved.

## Current State
What is done, what is being done, what comes next.`,
  turn: 'Summarise the work so far in the turn above: what was asked, results of tools, changes to files.',
  focus: (focus) => `Additional focus: ${focus}`,
}
