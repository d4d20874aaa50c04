/** The description of `write` that the model reads. */
export const WRITE_DESCRIPTION = `Writes a whole file: makes it and its folders, or replaces all of its content.

- \`path\`: from the workspace, or absolute. \`content\`: everything that the file shall contain.
- A file that exists must have been read before, and is refused if it has changed since. Line ends (CRLF) and rights of the old file are kept.
- To change a part of a file use \`edit\`.`
