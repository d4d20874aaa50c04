/** The description of `todo` that the model reads. */
export const TODO_DESCRIPTION = `Writes the to-do list of this session. Each call writes the whole list: items that you leave out are gone.

Use it for work of several steps: write the steps at the start, set one to \`in-progress\` when you begin it and to \`done\` as soon as it is done. The list survives when the conversation is shortened.`
