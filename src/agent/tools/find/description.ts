/** The description of `find` that the model reads. */
export const FIND_DESCRIPTION = `Finds files by name. Answers with their paths, sorted.

- \`pattern\`: a glob. Without a slash it matches names in any folder (\`*.ts\`, \`README*\`); with one it is seen from \`path\` (\`src/**/*.test.{ts,tsx}\`).
- \`path\`: the folder to look in, the whole workspace if left out.
- What \`.gitignore\` names is left out unless \`ignored\` is set. At most \`limit\` paths (500 by default, 5,000 at most).`
