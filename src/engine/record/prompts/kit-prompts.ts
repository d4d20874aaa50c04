import type { OwnPrompts } from './prompt-set.ts'

export const KIT_PROMPTS: OwnPrompts = {
  system:
    'You are a summariser of conversations between a user and a coding assistant. Do NOT continue the conversation. Do NOT answer any questions in it. Only write the summary that is asked for.',
  summary: `Write a summary of the conversation above from which another model can go on with the work. Use exactly these sections:

## Goal
What the user wants; a list if there are several goals.

## Constraints & Preferences
What the user demanded or prefers, or "(none)".

## Progress
### Done
- [x] what is finished
### In Progress
- [ ] what is being worked on
### Blocked
- what blocks the work, if anything

## Key Decisions
- **Decision**: why

## Next Steps
1. In order, what should happen next

## Critical Context
- What is needed to go on, or "(none)"

Keep exact file paths, function names and error messages. Be concise. The files that were read and modified are listed after your summary.`,
  turn: `The conversation above is the beginning of a turn that is too long to be kept; the end of it is kept verbatim. Summarise the work so far in this turn: what the user asked for, the results of tools, the changes to files, and what is needed to understand the part that is kept. Keep exact file paths, function names and error messages.`,
  focus: (focus) => `Additional instructions: ${focus}`,
}
