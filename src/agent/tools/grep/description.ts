/** The description of `grep` that the model reads. */
export const GREP_DESCRIPTION = `Searches the contents of files with a regular expression (ripgrep's syntax) and shows the matching lines with their numbers, file by file.

- \`path\`: a folder or a file, the whole workspace if left out. \`glob\`: only files like \`*.ts\` or \`src/**/*.test.ts\`, seen from \`path\`.
- \`literal\`: take the pattern as plain text. \`ignoreCase\`: upper and lower case are the same. \`contextLines\`: lines to show around each match.
- What \`.gitignore\` names is left out unless \`ignored\` is set. At most \`limit\` matches (200 by default, 1,000 at most).`
