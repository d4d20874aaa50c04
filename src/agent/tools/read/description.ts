/** The description of `read` that the model reads. */
export const READ_DESCRIPTION = `Reads a text file and shows its lines with their numbers (number, tab, text; the number and the tab are not part of the file).

- \`path\`: from the workspace, or absolute.
- Shows as many lines as fit into an answer, 2,000 at most; the answer says how to go on when there are more. \`offset\` is the first line (from 1), \`limit\` the number of lines.
- Read a file before you edit or overwrite it. What you have read and what has not changed since need not be read again.
- Images are shown to you, if you can see. Of other binary files you are told what they are. For folders use \`ls\`, to find files \`find\` and \`grep\`.`
