/** Added to the agent's own prompt for a summary. If facts are still missing from the summary, they are added afterwards. */
export const COMPACT_INSTRUCTIONS = `Name every file that was changed, with its path. Quote the user's demands (must, never, only) and the beginning of each of the user's messages word for word, from the whole conversation, earlier summaries included. Say what failed and is not fixed, which to-dos are open, and what is not committed. Name nothing that the conversation does not contain.
`
