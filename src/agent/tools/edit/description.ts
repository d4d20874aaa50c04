/** The description of `edit` that the model reads. */
export const EDIT_DESCRIPTION = `Replaces exact pieces of text in a file that you have read.

- \`path\`: from the workspace, or absolute.
- \`edits\`: applied in order, all of them or none. Each replaces \`oldText\` by \`newText\`.
- \`oldText\` must be in the file exactly once, to the last space, without the line numbers that \`read\` shows: take in as many lines around it as make it unique, no more. With \`replaceAll\` every place where it stands is changed.
- Refused if you have not read the file, or it has changed since. After your own edit you need not read it again.`
