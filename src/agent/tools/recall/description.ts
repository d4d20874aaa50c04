/** The description of `recall` that the model reads. */
export const RECALL_TOOL_DESCRIPTION = `Gives back what was said or done earlier in this session, word for word, also what has been summarised, masked or shortened since.

- \`handles\`: entries by their handles: \`#12\`, several as \`#12, #15\`, a range as \`#12-#20\`.
- \`search\`: a text; answers with the handles of the entries that contain it and a piece of each.
- Give one of the two. Of a long entry the answer shows a part and says which \`offset\` shows the next.`
