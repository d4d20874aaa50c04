import { COMPACT_INSTRUCTIONS } from '../hooks/instructions.ts'

/** Replaces Codex's own prompt for a compaction. */
export const CODEX_COMPACT_PROMPT = `This message is from the program, not from the user: the conversation above is about to be compacted. Do not continue it, and call no tools. Write a record of it for the agent that goes on with the work:
- what the user wants in the end, and what was asked last
- what is finished, what is half done and its exact state, what was tried and did not work, with the exact error
- what was decided and why, and which approaches were given up
- the next step, with the exact commands and values that it needs
- names, signatures, values, ports and versions that will be needed again
${COMPACT_INSTRUCTIONS.trim()}
Everything that was said is kept: the tool \`recall\` of the server \`pith\` finds it again. Say so at the end.`
